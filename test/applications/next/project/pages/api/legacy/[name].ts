import type { NextApiRequest, NextApiResponse } from 'next'
import { management } from 'upkeep/next'

export default function handler({ query }: NextApiRequest, response: NextApiResponse) {
  management().meters.counter('orders.read', { from: 'pages' }).increment()
  response.json({ name: query['name'] })
}
