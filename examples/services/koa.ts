import { bodyParser } from '@koa/bodyparser'
import Router from '@koa/router'
import Koa from 'koa'
import { handleErrors, manage, notFound, observe } from 'upkeep/koa'
import { shutdownGracefully } from 'upkeep/node'
import { openShop } from './shop.ts'

const shop = await openShop()
const { management, flush } = shop

const router = new Router()
router.get('/orders', async (context) => {
  context.body = await shop.list()
})
router.get('/orders/:id', async (context) => {
  context.body = await shop.find(context.params['id'] ?? '')
})
router.post('/orders', async (context) => {
  const order = await shop.place(context.request.body)
  context.set('Location', `/orders/${order.id}`)
  context.status = 201
  context.body = order
})

const app = new Koa()
app.use(handleErrors(management))
app.use(observe(management))
app.use(manage(management))
app.use(bodyParser())
app.use(router.routes())
app.use(notFound())

const server = app.listen(Number(process.env['PORT'] ?? 3000), process.env['HOST'] ?? '127.0.0.1')
server.once('listening', () => console.info(server.address()))
shutdownGracefully(server, management, { hooks: [{ name: 'shop', run: shop.close }], flush })
