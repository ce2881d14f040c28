import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import Router from '@koa/router'
import express from 'express'
import Koa from 'koa'
import { currentTrace } from './tools.mjs'

const app = express()
app.get('/express/:id', (_req, res) => res.end())
app.use('/broken', () => {
  throw new TypeError('broken')
})
app.use((error, _req, res, _next) => res.status(502).end(error.message))

/** An application that is called by a listener of its own, and connections that are upgraded. */
const first = createServer((request, response) => app(request, response))
first.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
await once(first.listen(0, '127.0.0.1'), 'listening')

/** Created when another server is listening. */
const koa = new Koa()
const router = new Router()
router.get('/koa/:id', (context) => {
  context.body = 'found'
})
koa.use(router.routes())
const second = koa.listen(0, '127.0.0.1')
await once(second, 'listening')

const third = createHttp2Server(async (_request, response) => {
  response.end(await currentTrace())
})
await once(third.listen(0, '127.0.0.1'), 'listening')

/** Without a listener of requests, added when the server listens. */
const fourth = createHttp2Server()
await once(fourth.listen(0, '127.0.0.1'), 'listening')
fourth.on('stream', async (stream, headers) => {
  if (headers[':path'] === '/http2/reset') return stream.on('error', () => {}).close(2)
  const trace = await currentTrace()
  stream.respond({ ':status': 202, 'content-length': trace.length })
  stream.end(trace)
})

process.send({
  port: first.address().port,
  ports: [first, second, third, fourth].map((server) => server.address().port),
})
