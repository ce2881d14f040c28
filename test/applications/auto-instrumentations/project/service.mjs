import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import Router from '@koa/router'
import { trace } from '@opentelemetry/api'
import express from 'express'
import express4 from 'express4'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { createManagement, traced } from 'upkeep'
import { observe as observeExpress } from 'upkeep/express'
import { observe as observeFastify } from 'upkeep/fastify'
import { observe as observeHono } from 'upkeep/hono'
import { observe as observeKoa } from 'upkeep/koa'
import { observe as observeNode } from 'upkeep/node'

const management = createManagement()

/** Two spans below each other: one of upkeep's, one of OpenTelemetry's API. */
const work = (id) =>
  traced('work', () =>
    trace.getTracer('own').startActiveSpan('inner', async (span) => {
      await new Promise(setImmediate)
      span.end()
      return id
    }),
  )

function withExpress(app) {
  app.use(observeExpress(management))
  app.get('/orders/:id', async (req, res) => res.send(await work(req.params.id)))
  return app
}

const frameworks = {
  'Express 5': () => withExpress(express()),
  'Express 4': () => withExpress(express4()),
  Koa() {
    const app = new Koa()
    app.use(observeKoa(management))
    const router = new Router()
    router.get('/orders/:id', async (context) => {
      context.body = await work(context.params.id)
    })
    app.use(router.routes())
    return app.callback()
  },
  async Fastify() {
    const app = Fastify()
    app.register(observeFastify(management))
    app.after(() => app.get('/orders/:id', ({ params }) => work(params.id)))
    await app.ready()
    return (req, res) => app.routing(req, res)
  },
  Hono() {
    const app = new Hono()
    app.use(observeHono(management))
    app.get('/orders/:id', async (context) => context.text(await work(context.req.param('id'))))
    return getRequestListener(app.fetch)
  },
  'node:http'() {
    const observed = observeNode(management, { route: () => '/orders/:id' })
    return (req, res) => observed(req, res, async () => res.end(await work(req.url.slice('/orders/'.length))))
  },
}

async function main() {
  const server = createServer(await frameworks[process.argv[2]]())
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))
  // The test closes the input when it has its answer; spans are printed as they end.
  process.stdin.resume().on('end', () => server.close(() => process.exit(0)))
}
void main()
