import { management } from 'upkeep/next'

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }) {
  management().meters.counter('orders.read', { from: 'route' }).increment()
  return Response.json(await params)
}
