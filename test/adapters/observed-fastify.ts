import type { RequestListener } from 'node:http'
import Fastify from 'fastify'
import { answerErrors, manage, observe } from '../../adapters/fastify.ts'
import type { Management } from '../../src/index.ts'
import { listenerOf } from './fastify-subject.ts'
import { move, orders } from './orders.ts'

export function observedFastify(management: Management): RequestListener {
  const app = Fastify()
  app.setErrorHandler(answerErrors({ report: () => {} }))
  app.register(observe(management))
  app.register(manage(management))
  app.after(() => {
    for (const [route, order] of Object.entries(orders)) {
      const [method = '', path = ''] = route.split(' ')
      app.route({
        method,
        url: path,
        handler: async (_request, reply) => {
          await order(reply.raw)
          // From here on the response is not Fastify's.
          reply.hijack()
        },
      })
    }
  })
  app.addHook('onRequest', (request, reply, next) => {
    if (request.url !== '/moved') return next()
    reply.hijack()
    move(reply.raw)
  })
  return listenerOf(app)
}
