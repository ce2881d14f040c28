import express from 'express'
import { handleErrors, manage, notFound, observe } from 'upkeep/express'
import { shutdownGracefully } from 'upkeep/node'
import { openShop } from './shop.ts'

const shop = await openShop()
const { management, flush } = shop

const app = express()
app.use(observe(management))
app.use(manage(management))
app.use(express.json())
app.get('/orders', async (_req, res) => void res.json(await shop.list()))
app.get('/orders/:id', async (req, res) => void res.json(await shop.find(req.params.id)))
app.post('/orders', async (req, res) => {
  const order = await shop.place(req.body)
  res.status(201).location(`/orders/${order.id}`).json(order)
})
app.use(notFound())
app.use(handleErrors(management))

const server = app.listen(Number(process.env['PORT'] ?? 3000), process.env['HOST'] ?? '127.0.0.1')
server.once('listening', () => console.info(server.address()))
shutdownGracefully(server, management, { hooks: [{ name: 'shop', run: shop.close }], flush })
