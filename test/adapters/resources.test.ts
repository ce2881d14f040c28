import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { bodyParser } from '@koa/bodyparser'
import express5 from 'express'
import express4 from 'express4'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa3 from 'koa'
import koaMount from 'koa-mount'
import Koa2 from 'koa2'
import { afterAll, beforeAll, describe } from 'vitest'
import * as forExpress from '../../adapters/express.ts'
import * as forFastify from '../../adapters/fastify.ts'
import * as forFetch from '../../adapters/fetch.ts'
import * as forHono from '../../adapters/hono.ts'
import * as forKoa from '../../adapters/koa.ts'
import * as forNode from '../../adapters/node.ts'
import type { Resources } from '../../src/rest.ts'
import { resourcesOverHttp } from '../conformance/resources-over-http.ts'
import { askOver } from '../support/ask.ts'
import { type Listening, listen } from '../support/listen.ts'
import { createOrdersService } from '../support/orders-service.ts'
import { listenerOf } from './frameworks/fastify.ts'
import { type Mount, mounts } from './mount.ts'

let requests = 0
const nextId = () => `r-${++requests}`

function expressApp(express: typeof express5) {
  return (resources: Resources, { prefix, parser }: Mount): RequestListener => {
    const app = express()
    app.use((_req, res, next) => void next(void res.set('X-Request-Id', nextId())))
    // Lenient as it can be, so that the resources see what they would refuse.
    if (parser) app.use(express.json({ strict: false, limit: 1_000 }))
    app.use(prefix || '/', forExpress.serve(resources))
    app.use((_req, res) => void res.send('elsewhere'))
    app.use(forExpress.answerErrors())
    return app
  }
}

function koaApp(Koa: typeof Koa3) {
  return (resources: Resources, { prefix, parser }: Mount): RequestListener => {
    const app = new Koa()
    app.use(forKoa.answerErrors())
    app.use((context, next) => {
      context.set('X-Request-Id', nextId())
      return next()
    })
    if (parser) app.use(bodyParser({ jsonStrict: false, jsonLimit: 1_000 }))
    const served = forKoa.serve(resources)
    app.use(prefix === '' ? served : koaMount(prefix, served))
    app.use((context) => void Object.assign(context, { body: 'elsewhere' }))
    return app.callback()
  }
}

function nodeApp(resources: Resources): RequestListener {
  const served = forNode.serve(resources)
  return forNode.answerErrors((req, res) => {
    res.setHeader('X-Request-Id', nextId())
    return served(req, res, () => res.end('elsewhere'))
  })
}

function fastifyApp(resources: Resources, { prefix }: Mount): RequestListener {
  const app = Fastify()
  app.setErrorHandler(forFastify.answerErrors())
  app.addHook('onRequest', (_request, reply, next) => next(void reply.header('X-Request-Id', nextId()) as undefined))
  app.register(forFastify.serve(resources), prefix === '' ? {} : { prefix })
  app.setNotFoundHandler((_request, reply) => void reply.code(200).send('elsewhere'))
  return listenerOf(app)
}

function honoApp(resources: Resources): RequestListener {
  const app = new Hono()
  app.onError(forHono.answerErrors())
  app.use(async (context, next) => {
    context.header('X-Request-Id', nextId())
    await next()
  })
  app.use(forHono.serve(resources))
  app.all('*', (context) => context.text('elsewhere'))
  return getRequestListener(app.fetch, { overrideGlobalObjects: false })
}

function fetchApp(resources: Resources): RequestListener {
  const served = forFetch.serve(resources)
  const answer = forFetch.answerErrors((request: Request) => served(request) ?? new Response('elsewhere'))
  const listener = getRequestListener((request) => answer(request), { overrideGlobalObjects: false })
  // There is no answer yet that a name could be put on: what stands in front of the service names its requests.
  return (req, res) => {
    const id = nextId()
    req.headers['x-request-id'] = id
    req.rawHeaders.push('X-Request-Id', id)
    res.setHeader('X-Request-Id', id)
    void listener(req, res)
  }
}

/** What mounts nothing, and has no body parser of its own. */
const mountless: readonly string[] = ['node:http', 'Hono', 'fetch']
/** What has a body parser of its own, which stands behind what `serve` answers. */
const parserless: readonly string[] = ['Fastify']

const adapters = [
  ['Express 5', expressApp(express5)],
  ['Express 4', expressApp(express4 as typeof express5)],
  ['Koa 3', koaApp(Koa3)],
  ['Koa 2', koaApp(Koa2 as unknown as typeof Koa3)],
  ['node:http', nodeApp],
  ['Fastify', fastifyApp],
  ['Hono', honoApp],
  ['fetch', fetchApp],
] as const

describe.each(adapters)('resources served by %s', (name, createApp) => {
  const possible = mounts.filter(({ prefix, parser }) =>
    mountless.includes(name) ? prefix === '' && !parser : !(parser && parserless.includes(name)),
  )
  describe.each(possible)('below "$prefix", parser: $parser', (mount) => {
    const service = createOrdersService()
    let listening: Listening
    beforeAll(async () => {
      listening = await listen(createApp(service.resources, mount))
    })
    afterAll(() => listening.close())

    resourcesOverHttp(() => ({
      ask: askOver(listening.port),
      at: `${mount.prefix}/api`,
      parser: mount.parser,
      reported: service.reported,
    }))
  })
})
