import Fastify from 'fastify'
import { handleErrors, manage, notFound, observe } from 'upkeep/fastify'
import { shutdownGracefully } from 'upkeep/node'
import { openShop } from './shop.ts'

const shop = await openShop()
const { management, flush } = shop

const app = Fastify()
app.setErrorHandler(handleErrors())
app.setNotFoundHandler(notFound())
app.register(observe(management))
app.register(manage(management))
app.get('/orders', () => shop.list())
app.get<{ Params: { id: string } }>('/orders/:id', (request) => shop.find(request.params.id))
app.post('/orders', async (request, reply) => {
  const order = await shop.place(request.body)
  return reply.code(201).header('Location', `/orders/${order.id}`).send(order)
})

await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: process.env['HOST'] ?? '127.0.0.1' })
console.info(app.server.address())
shutdownGracefully(app.server, management, { hooks: [{ name: 'shop', run: shop.close }], flush })
