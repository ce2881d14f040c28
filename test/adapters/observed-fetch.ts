import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { answerErrors, manage, observe } from '../../adapters/fetch.ts'
import type { Management } from '../../src/index.ts'
import { fetchedOrders, moved } from './fetched-orders.ts'

function routeOf({ url }: Request): string | undefined {
  const [, collection] = /^\/(\w+)\/\d+$/.exec(new URL(url).pathname) ?? []
  const template = `/${collection}/:id`
  return `GET ${template}` in fetchedOrders ? template : undefined
}

export function observedFetch(management: Management): RequestListener {
  const observed = observe(management, { route: routeOf })
  const managed = manage(management)
  const answer = answerErrors((request: Request) => observed(request, () => managed(request) ?? order(request)), {
    report: () => {},
  })
  return getRequestListener((request) => answer(request), { overrideGlobalObjects: false })
}

function order(request: Request): Response | Promise<Response> {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const known = fetchedOrders[`${method} ${routeOf(request)}`]
  if (known !== undefined) return known()
  return new URL(request.url).pathname === '/moved' ? moved() : new Response(null, { status: 404 })
}
