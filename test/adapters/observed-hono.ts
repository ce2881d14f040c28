import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { answerErrors, manage, observe } from '../../adapters/hono.ts'
import type { Management } from '../../src/index.ts'
import { fetchedOrders, moved } from './fetched-orders.ts'

export function observedHono(management: Management): RequestListener {
  const app = new Hono()
  app.onError(answerErrors({ report: () => {} }))
  app.use(observe(management))
  app.use(manage(management))
  for (const [route, order] of Object.entries(fetchedOrders)) {
    const [method = '', path = ''] = route.split(' ')
    app.on(method, path, () => order())
  }
  app.use(({ req }, next) => (req.path === '/moved' ? Promise.resolve(moved()) : next()))
  return getRequestListener(app.fetch, { overrideGlobalObjects: false })
}
