import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import Router from '@koa/router'
import express5 from 'express'
import express4 from 'express4'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { bearerToken, createManagement, type Management, type ManagementOptions } from 'upkeep'
import { manage as manageExpress, observe as observeExpress, serve as serveExpress } from 'upkeep/express'
import { manage as manageFastify, observe as observeFastify, serve as serveFastify } from 'upkeep/fastify'
import { manage as manageHono, observe as observeHono, serve as serveHono } from 'upkeep/hono'
import { manage as manageKoa, observe as observeKoa, serve as serveKoa } from 'upkeep/koa'
import { manage } from 'upkeep/node'
import { controller, createResources, noContent } from 'upkeep/rest'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listen } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'

const token = { authorization: 'Bearer let-me-in' }

interface Mapping {
  readonly handler: string
  readonly predicate: string
  readonly details: { readonly requestMappingConditions: Readonly<Record<string, readonly unknown[]>> }
}

interface Mappings {
  readonly contexts: Readonly<
    Record<string, { readonly mappings: { readonly dispatcherServlets: Readonly<Record<string, readonly Mapping[]>> } }>
  >
}

function management(options: ManagementOptions = {}) {
  const created = createManagement({
    application: { name: 'orders' },
    expose: ['health', 'mappings'],
    authorize: bearerToken('let-me-in'),
    metrics: { runtime: false },
    ...options,
  })
  onTestFinished(() => created.close())
  return created
}

async function read(listener: RequestListener) {
  const { port, close } = await listen(listener)
  onTestFinished(close)
  const { body, status } = await createRawClient(port)({ target: '/management/mappings', headers: token })
  expect(status).toBe(200)
  return JSON.parse(body) as Mappings
}

/** Reads the mappings, as `<framework>: <predicate> <handler>`. */
async function routesOf(listener: RequestListener) {
  const { contexts } = await read(listener)
  const { dispatcherServlets = {} } = contexts['orders']?.mappings ?? {}
  return Object.entries(dispatcherServlets).flatMap(([framework, mappings]) =>
    mappings.map(({ predicate, handler }) => `${framework}: ${predicate} ${handler}`),
  )
}

const resources = () => createResources({ resources: [controller('reset', { run: () => noContent() })] })

describe.each([
  ['Express 5', express5],
  ['Express 4', express4 as typeof express5],
])('mappings of %s', (_name, express) => {
  it('have the routes with their methods and handlers, mounted routers and resources included', async () => {
    const app = express()
    app.use(observeExpress(management()))
    const observing = management()
    app.use(observeExpress(observing), manageExpress(observing))
    const pass: express5.RequestHandler = (_req, _res, next) => next()
    app.get('/orders/:id', pass, function showOrder() {})
    app
      .route('/orders')
      .get(function listOrders() {})
      .post(function placeOrder() {})
    app.all('/any', function any() {})
    app.get(/^\/file-(\d+)$/, function showFile() {})
    const lines = express.Router().delete('/:line', function removeLine() {})
    app.use('/orders/:id/lines', lines)
    app.use('/ops', serveExpress(resources()))
    app.get('/late', () => {})
    expect(await routesOf(app)).toEqual([
      'express: {GET [/orders/:id]} showOrder',
      'express: {GET [/orders]} listOrders',
      'express: {POST [/orders]} placeOrder',
      'express: {[/any]} any',
      String.raw`express: {GET [^\/file-(\d+)$]} showFile`,
      'express: {DELETE [/orders/:id/lines/:line]} removeLine',
      'express: {POST [/ops/reset]} controller',
      'express: {GET [/late]} anonymous',
    ])
  })
})

it('mappings of Koa have the routes of its routers, and resources', async () => {
  const managed = management()
  const app = new Koa().use(observeKoa(managed)).use(manageKoa(managed))
  const inner = new Router().get('/items/:item', function showItem() {})
  const router = new Router({ prefix: '/org/:org' })
  router.use(async (_context, next) => next())
  router
    .get(
      '/list',
      async (_context, next) => next(),
      function list() {},
    )
    .put(['/a', '/b'], function put() {})
    .all('/any', function any() {})
  router.use('/teams/:team', inner.routes())
  app.use(router.routes()).use(router.allowedMethods())
  app.use(serveKoa(resources()))
  expect(await routesOf(app.callback())).toEqual([
    'koa: {GET [/org/:org/list]} list',
    'koa: {PUT [/org/:org/a]} put',
    'koa: {PUT [/org/:org/b]} put',
    'koa: {[/org/:org/any]} any',
    'koa: {GET [/org/:org/teams/:team/items/:item]} showItem',
    'koa: {POST [/reset]} controller',
  ])
})

it('mappings of Fastify have all routes, and the handlers of those that are defined behind the plugin', async () => {
  const managed = management()
  const app = Fastify()
  app.register(observeFastify(managed))
  app.register(manageFastify(managed))
  app.register(serveFastify(resources()))
  app.get('/early/:id', async function early() {})
  app.register(
    // biome-ignore lint/nursery/noMisusedPromises: Fastify awaits it.
    async (child) => {
      child.get('/orders/:id', async function showOrder() {})
      child.post('/orders', async function placeOrder() {})
      child.get('/files/*', async function showFile() {})
      child.get('/orders/:id/lines', { constraints: { version: '1.2.0' } }, async function listLines() {})
    },
    { prefix: '/shop' },
  )
  await app.ready()
  expect((await routesOf((req, res) => app.routing(req, res))).sort()).toEqual([
    'fastify: {GET [/early/:id]} anonymous',
    'fastify: {GET [/shop/files/*]} showFile',
    'fastify: {GET [/shop/orders/:id/lines]} listLines',
    'fastify: {GET [/shop/orders/:id]} showOrder',
    'fastify: {POST [/reset]} controller',
    'fastify: {POST [/shop/orders]} placeOrder',
  ])
})

describe('mappings of Fastify', () => {
  const [observeFirst, manageFirst] = [
    [observeFastify, manageFastify],
    [manageFastify, observeFastify],
  ] as const

  it.each([
    ['observe', observeFirst],
    ['manage', manageFirst],
  ])('have the handlers of routes behind %s, also if the other plugin is registered last', async (_name, plugins) => {
    const managed = management()
    const [first, last] = plugins
    const app = Fastify()
    await app.register(first(managed))
    app.get('/orders/:id', async function showOrder() {})
    await app.register(last(managed))
    app.get('/orders', async function listOrders() {})
    await app.ready()
    expect((await routesOf((req, res) => app.routing(req, res))).sort()).toEqual([
      'fastify: {GET [/orders/:id]} showOrder',
      'fastify: {GET [/orders]} listOrders',
    ])
  })

  it('have one entry for a route of all methods with one handler', async () => {
    const managed = management()
    const app = Fastify()
    app.all('/early', async function early() {})
    await app.register(observeFastify(managed))
    app.all('/any', async function any() {})
    app.route({ method: ['GET', 'POST'], url: '/both', async handler() {} })
    await app.register(manageFastify(managed))
    await app.ready()
    expect((await routesOf((req, res) => app.routing(req, res))).sort()).toEqual([
      'fastify: {GET [/both]} handler',
      'fastify: {POST [/both]} handler',
      'fastify: {[/any]} any',
      'fastify: {[/early]} anonymous',
    ])
  })

  it('have an entry for each method if handlers differ', async () => {
    const managed = management()
    const app = Fastify()
    await app.register(observeFastify(managed))
    await app.register(manageFastify(managed))
    const others = app.supportedMethods.filter((method) => !['GET', 'HEAD'].includes(method))
    app.get('/any', async function show() {})
    app.route({ method: others, url: '/any', async handler() {} })
    await app.ready()
    expect((await routesOf((req, res) => app.routing(req, res))).sort()).toEqual(
      ['GET', ...others].sort().map((method) => `fastify: {${method} [/any]} ${method === 'GET' ? 'show' : 'handler'}`),
    )
  })
})

it('mappings of Hono have the routes of the application that the adapter received', async () => {
  const managed = management()
  const app = new Hono()
  app.use(observeHono(managed, { app })).use(manageHono(managed))
  app.use('*', async (_context, next) => next())
  app.get('/orders/:id', async (_context, next) => next(), function showOrder() {} as never)
  app.all('/any', function any() {} as never)
  const inner = new Hono().post('/items', function addItem() {} as never)
  inner.onError((_error, context) => context.text('failed'))
  app.route('/shop', inner)
  app.use(serveHono(resources()))
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  expect(await routesOf(listener)).toEqual([
    'hono: {GET [/orders/:id]} showOrder',
    'hono: {[/any]} any',
    'hono: {POST [/shop/items]} addItem',
    'hono: {POST [/reset]} controller',
  ])
})

describe('mappings', () => {
  it("are in Spring Boot's form, with every condition", async () => {
    const managed = management()
    const app = { name: 'resources' }
    managed.mappings.register(app, 'resources', () => resources().routes)
    expect(await read(manage(managed))).toEqual({
      contexts: {
        orders: {
          mappings: {
            dispatcherServlets: {
              resources: [
                {
                  handler: 'controller',
                  predicate: '{POST [/reset]}',
                  details: {
                    handlerMethod: { className: 'resources', descriptor: '', name: 'controller' },
                    requestMappingConditions: {
                      consumes: [],
                      headers: [],
                      methods: ['POST'],
                      params: [],
                      patterns: ['/reset'],
                      produces: [],
                    },
                  },
                },
              ],
            },
            servletFilters: [],
            servlets: [],
          },
        },
      },
    })
  })

  it('are read when they are requested, for each application once', async () => {
    const managed = management()
    const apps = [{}, {}]
    const readRoutes = vi.fn(() => [{ method: 'GET', path: '/a' }])
    for (const app of [...apps, ...apps]) managed.mappings.register(app, 'mine', readRoutes)
    expect(readRoutes).not.toHaveBeenCalled()
    expect(await routesOf(manage(managed))).toEqual(['mine: {GET [/a]} anonymous', 'mine-2: {GET [/a]} anonymous'])
  })

  it('have no routes of an application whose reading fails, which is reported', async () => {
    const report = vi.fn()
    const managed = management({ report })
    const broken: ((...args: unknown[]) => unknown)[] = [
      () => {
        throw new Error('no stack')
      },
      () => 5,
    ]
    for (const each of broken) managed.mappings.register(each, 'mine', each as () => [])
    expect(await routesOf(manage(managed))).toEqual([])
    expect(report).toHaveBeenCalledExactlyOnceWith(
      'failed to read the routes of the application',
      new Error('no stack'),
    )
  })

  it('are not stored if the endpoint is not exposed', () => {
    const managed: Management = management({ expose: ['health'] })
    const readRoutes = vi.fn(() => [])
    managed.mappings.register({}, 'mine', readRoutes)
    expect(readRoutes).not.toHaveBeenCalled()
  })

  it('require a known caller', async () => {
    const { port, close } = await listen(manage(management({ access: { '*': 'public' } })))
    onTestFinished(close)
    expect(await createRawClient(port)({ target: '/management/mappings' })).toMatchObject({ status: 401 })
  })
})
