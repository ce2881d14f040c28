import { getRequestListener, type HttpBindings } from '@hono/node-server'
import express5 from 'express'
import express4 from 'express4'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa3 from 'koa'
import Koa2 from 'koa2'
import { createManagement } from 'upkeep'
import { manage as manageExpress, notFound as notFoundInExpress } from 'upkeep/express'
import { manage as manageFastify, notFound as notFoundInFastify } from 'upkeep/fastify'
import { manage as manageFetch, notFound as notFoundInFetch } from 'upkeep/fetch'
import { manage as manageHono, notFound as notFoundInHono } from 'upkeep/hono'
import { manage as manageKoa, notFound as notFoundInKoa } from 'upkeep/koa'
import { manage as manageNode, notFound as notFoundInNode } from 'upkeep/node'
import { afterEach, describe, expect, it } from 'vitest'
import { type Listening, listen } from '../support/listen.ts'
import { createRawClient, type RawResponse } from '../support/raw-client.ts'

const open: { close(): unknown }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

const opened = (listening: Listening): number => {
  open.push(listening)
  return listening.port
}

function startExpress(create: typeof express5) {
  return async () => {
    const app = create()
    app.use(manageExpress(createManagement()))
    app.get('/orders', (_req, res) => void res.send('[]'))
    app.use(notFoundInExpress())
    return opened(await listen(app))
  }
}

function startKoa(Koa: typeof Koa3) {
  return async () => {
    const app = new Koa()
    app.use(manageKoa(createManagement()))
    app.use((context, next) => (context.path === '/orders' ? Object.assign(context, { body: '[]' }) : next()))
    app.use(notFoundInKoa())
    return opened(await listen(app.callback()))
  }
}

const starts: readonly (readonly [string, () => Promise<number>])[] = [
  ['Express 5', startExpress(express5)],
  ['Express 4', startExpress(express4 as typeof express5)],
  ['Koa 3', startKoa(Koa3)],
  ['Koa 2', startKoa(Koa2 as unknown as typeof Koa3)],
  [
    'Fastify',
    async () => {
      const app = Fastify()
      app.setNotFoundHandler(notFoundInFastify())
      app.register(manageFastify(createManagement()))
      app.get('/orders', async () => '[]')
      open.push(app)
      return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
    },
  ],
  [
    'Hono',
    async () => {
      const app = new Hono<{ Bindings: HttpBindings }>()
      app.notFound(notFoundInHono())
      app.use(manageHono(createManagement()))
      app.get('/orders', (context) => context.text('[]'))
      return opened(await listen(getRequestListener(app.fetch, { overrideGlobalObjects: false })))
    },
  ],
  [
    'fetch',
    async () => {
      const [managed, unknown] = [manageFetch(createManagement()), notFoundInFetch()]
      const route = (request: Request) => (request.url.endsWith('/orders') ? new Response('[]') : unknown(request))
      const answer = (request: Request) => managed(request) ?? route(request)
      return opened(await listen(getRequestListener(answer, { overrideGlobalObjects: false })))
    },
  ],
  [
    'node:http',
    async () => {
      const [managed, unknown] = [manageNode(createManagement()), notFoundInNode()]
      const route: typeof unknown = (req, res) => (req.url === '/orders' ? res.end('[]') : unknown(req, res))
      return opened(await listen((req, res) => void managed(req, res, () => route(req, res))))
    },
  ],
]

describe.each(starts)('notFound with %s', (_name, start) => {
  const document = ({ status, headers, body }: RawResponse) => [status, headers['content-type'], JSON.parse(body)]

  it('responds to unknown addresses with an error document, and does not affect others', async () => {
    const sendRequest = createRawClient(await start())
    const problem = { type: 'about:blank', title: 'Not Found', status: 404, detail: 'Resource not found.' }
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      expect(document(await sendRequest({ method, target: '/elsewhere?key=secret' }))).toEqual([
        404,
        'application/problem+json',
        { ...problem, instance: '/elsewhere' },
      ])
    }
    const json = await sendRequest({ target: '/elsewhere', headers: { Accept: 'application/json' } })
    expect(json.headers['content-type']).toBe('application/json')
    const head = await sendRequest({ method: 'HEAD', target: '/elsewhere' })
    expect([head.status, head.body, head.headers['content-length']]).toEqual([404, '', json.headers['content-length']])
    expect((await sendRequest({ target: '/orders' })).body).toBe('[]')
    expect((await sendRequest({ target: '/management/health' })).status).toBe(200)
  })
})
