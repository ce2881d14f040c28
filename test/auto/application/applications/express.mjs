import express from 'express'
import { currentTrace, ready } from './tools.mjs'

const app = express()
const orders = express.Router()
orders.get('/:id', (req, res) => res.json({ id: req.params.id }))
orders.post('/', express.text(), async (_req, res) => res.status(201).send(await currentTrace()))
app.use('/api/orders', orders)
app.use(
  '/admin/:tenant',
  express.Router().use('/', (_req, res) => res.status(401).end()),
)
app.get('/failing', () => {
  throw new RangeError('out of stock')
})
app.get('/slow', () => {})
const server = app.listen(0, '127.0.0.1', () => ready(server))
