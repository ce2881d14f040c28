import fastify from 'fastify'
import { currentTrace, ready } from './tools.mjs'

const app = fastify()
app.register(
  (orders, _options, done) => {
    orders.get('/:id', async (request) => ({ id: request.params.id }))
    orders.post('/', async (_request, reply) => reply.code(201).send(await currentTrace()))
    done()
  },
  { prefix: '/api/orders' },
)
app.register(
  (admin, _options, done) => {
    admin.setNotFoundHandler((_request, reply) => reply.code(401).send())
    done()
  },
  { prefix: '/admin/:tenant' },
)
app.get('/failing', async () => {
  throw new RangeError('out of stock')
})
app.get('/slow', () => new Promise(() => {}))
app.listen({ port: 0, host: '127.0.0.1' }).then(() => ready(app.server))
