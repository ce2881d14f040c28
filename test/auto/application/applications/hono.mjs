import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { currentTrace, ready } from './tools.mjs'

const orders = new Hono()
orders.get('/:id', (context) => context.json({ id: context.req.param('id') }))
orders.post('/', async (context) => {
  await context.req.text()
  return context.text(await currentTrace(), 201)
})
const app = new Hono()
app.use('*', (_context, next) => next())
app.route('/api/orders', orders)
app.use('/admin/:tenant/*', async (context) => context.text('no', 401))
app.get('/failing', () => {
  throw new RangeError('out of stock')
})
app.get('/slow', () => new Promise(() => {}))
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => ready(server))
