import Hapi from '@hapi/hapi'
import { currentTrace, ready } from './tools.mjs'

const server = Hapi.server({ port: 0, host: '127.0.0.1', debug: false })
server.route([
  { method: 'GET', path: '/api/orders/{id}', handler: ({ params }) => ({ id: params.id }) },
  { method: 'POST', path: '/api/orders', handler: async (_request, h) => h.response(await currentTrace()).code(201) },
  {
    method: 'GET',
    path: '/failing',
    handler() {
      throw new RangeError('out of stock')
    },
  },
  { method: 'GET', path: '/slow', handler: () => new Promise(() => {}) },
])
server.ext('onRequest', (request, h) =>
  request.path.startsWith('/admin/') ? h.response().code(401).takeover() : h.continue,
)
server.start().then(() => ready(server.listener))
