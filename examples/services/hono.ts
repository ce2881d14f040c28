import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { handleErrors, manage, notFound, observe } from 'upkeep/hono'
import { shutdownGracefully } from 'upkeep/node'
import { openShop } from './shop.ts'

const shop = await openShop()
const { management, flush } = shop

const app = new Hono()
app.onError(handleErrors(management))
app.notFound(notFound())
app.use(observe(management))
app.use(manage(management))
app.get('/orders', async (context) => context.json(await shop.list()))
app.get('/orders/:id', async (context) => context.json(await shop.find(context.req.param('id'))))
app.post('/orders', bodyLimit({ maxSize: 10_000 }), async (context) => {
  const order = await shop.place(await context.req.json().catch(() => undefined))
  return context.json(order, 201, { Location: `/orders/${order.id}` })
})

const [port, hostname] = [Number(process.env['PORT'] ?? 3000), process.env['HOST'] ?? '127.0.0.1']
const server = serve({ fetch: app.fetch, port, hostname }, console.info)
shutdownGracefully(server, management, { hooks: [{ name: 'shop', run: shop.close }], flush })
