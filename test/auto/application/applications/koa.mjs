import bodyParser from '@koa/bodyparser'
import Router from '@koa/router'
import Koa from 'koa'
import mount from 'koa-mount'
import { currentTrace, ready } from './tools.mjs'

const app = new Koa()
app.silent = true
const parse = (bodyParser.default ?? bodyParser.bodyParser ?? bodyParser)({ enableTypes: ['text'] })
const orders = new Router({ prefix: '/api' })
orders.get('/orders/:id', (context) => {
  context.body = { id: context.params.id }
})
orders.post('/orders', parse, async (context) => {
  context.status = 201
  context.body = await currentTrace()
})
const root = new Router()
root.get('/failing', () => {
  throw new RangeError('out of stock')
})
root.get('/slow', () => new Promise(() => {}))
app.use(
  mount('/admin', (context) => {
    context.status = 401
  }),
)
app.use(orders.routes()).use(root.routes())
const server = app.listen(0, '127.0.0.1', () => ready(server))
