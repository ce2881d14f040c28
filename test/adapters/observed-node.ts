import type { IncomingMessage, RequestListener } from 'node:http'
import { answerErrors, manage, observe } from '../../adapters/node.ts'
import type { Management } from '../../src/index.ts'
import { move, orders } from './orders.ts'

function routeOf({ url = '' }: IncomingMessage): string | undefined {
  const [, collection] = /^\/(\w+)\/\d+(\?|$)/.exec(url) ?? []
  const template = `/${collection}/:id`
  return `GET ${template}` in orders ? template : undefined
}

export function observedNode(management: Management): RequestListener {
  const observed = observe(management, { route: routeOf })
  const managed = manage(management)
  return answerErrors(
    (req, res) => {
      observed(req, res, () => {
        managed(req, res, () => {
          const method = req.method === 'HEAD' ? 'GET' : req.method
          const order = orders[`${method} ${routeOf(req)}`]
          if (order !== undefined) order(res)
          else if (req.url === '/moved') move(res)
          else res.writeHead(404).end()
        })
      })
    },
    { report: () => {} },
  )
}
