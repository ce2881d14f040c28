import type { RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import Router from '@koa/router'
import Koa3 from 'koa'
import Koa2 from 'koa2'
import { answerErrors, manage, observe } from '../../adapters/koa.ts'
import type { Management } from '../../src/index.ts'
import { move, orders } from './orders.ts'

const versions = { 'Koa 3': Koa3, 'Koa 2': Koa2 as unknown as typeof Koa3 }

export function observedKoa(version: keyof typeof versions) {
  return (management: Management): RequestListener => {
    const app = new versions[version]()
    app.on('error', () => {})
    app.use(answerErrors())
    app.use(observe(management))
    app.use(manage(management))
    const router = new Router()
    for (const [route, order] of Object.entries(orders)) {
      const [method = '', path = ''] = route.split(' ')
      router.register(path, method === 'GET' ? ['get', 'head'] : [method], async (context) => {
        if (route === 'GET /orders/:id') {
          context.body = Readable.from(['one\n', 'two\n', 'three\n'])
          return
        }
        context.res.statusCode = 200
        order(context.res)
        // From here on the response is not Koa's.
        context.respond = false
      })
    }
    app.use(router.routes())
    app.use(async (context) => {
      if (context.path !== '/moved') return
      context.respond = false
      move(context.res)
    })
    return app.callback()
  }
}
