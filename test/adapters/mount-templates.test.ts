import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import Router from '@koa/router'
import { type RequestHandler, type Response, static as serveStatic } from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import mount from 'koa-mount'
import Koa2 from 'koa2'
import { createManagement, type Management } from 'upkeep'
import * as expressAdapter from 'upkeep/express'
import * as fastifyAdapter from 'upkeep/fastify'
import * as honoAdapter from 'upkeep/hono'
import * as koaAdapter from 'upkeep/koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Listening, listen, listenOn } from '../support/listen.ts'
import { expectedRecord, recordRequests } from '../support/record-requests.ts'
import { recordSpans } from '../support/record-spans.ts'
import { expressVersions } from './frameworks/express.ts'

const files = mkdtempSync(join(tmpdir(), 'upkeep-mounts-'))
mkdirSync(join(files, 'folder'))
writeFileSync(join(files, 'logo.svg'), '<svg/>')
afterAll(() => rmSync(files, { recursive: true }))

const spans = recordSpans()

type Start = (management: Management) => Promise<Listening>

/** The status, and the template or the word in its place. */
type Case = readonly [what: string, target: string, status: number, template: string | undefined, word?: string]

function describeMounts(framework: string, start: Start, cases: readonly Case[]): void {
  describe(`the template of a request to ${framework}`, () => {
    const management = createManagement({ metrics: { runtime: false } })
    let listening: Listening
    beforeAll(async () => {
      listening = await start(management)
    })
    afterAll(() => listening.close())
    const record = recordRequests(() => listening.port, management.meters, spans)

    for (const [what, target, status, template, word] of cases) {
      it(`${template === undefined ? 'has no template' : `is ${template}`} for ${what}`, async () => {
        expect(await record(target)).toEqual(expectedRecord(template, 'GET', status, word))
      })
    }
  })
}

function startExpress(version: keyof typeof expressVersions): Start {
  return (management) => {
    const express = expressVersions[version]
    const ok: RequestHandler = (_req, res) => void res.send('ok')
    const refuse: RequestHandler = (_req, res) => void res.status(401).end()
    const missing: RequestHandler = (_req, res) => void res.status(404).send('none')
    const app = express()
    app.use(expressAdapter.observe(management))
    // Express 5.2 does not store the pattern, which could be that of any mount.
    if (version !== 'Express 5.2') app.use(version === 'Express 4' ? '*' : '/{*all}', (_req, _res, next) => next())
    app.use('/static', serveStatic(files))

    const admin = express.Router()
    admin.use((req, res, next) => (req.query['who'] === undefined ? refuse(req, res, next) : next()))
    admin.get('/users/:user', ok)
    admin.use('/failing', () => {
      throw new Error('no')
    })
    const tenants = express.Router()
    tenants.use('/:tenant', express.Router().use('/admin', admin))
    app.use('/api', (_req, _res, next) => next())
    app.use('/api/tenants', tenants)
    app.use('/loop', tenants)
    tenants.use('/again', tenants)

    const shop = express()
    const carts = express.Router()
    carts.use('/:cart/items', refuse)
    shop.get('/plain', ok)
    shop.use('/carts', carts)
    const reports = express()
    reports.use('/yearly/:year', refuse)
    reports.use(missing)
    shop.use('/reports', reports)
    shop.use('/passed', express().get('/route', ok))
    shop.use(missing)
    app.use('/shops/:shop', shop)

    app.use('/:first/either', (req, res, next) => (req.query['first'] === undefined ? next() : refuse(req, res, next)))
    app.use('/either', refuse)
    app.use('/same/either', refuse)
    app.use('/files/:name', ok)
    app.use((req, _res, next) => {
      req.url = req.url.replace(/^\/before/, '/after')
      next()
    })
    app.use('/after/:x', express.Router().use('/old', refuse))
    app.use((req, res, next) => (req.path === '/root' ? refuse(req, res, next) : next()))
    app.use((_error: unknown, _req: unknown, res: Response, _next: unknown) => void res.status(500).end())
    return listen(app)
  }
}

const expressCases: readonly Case[] = [
  ['a middleware of nested routers', '/api/tenants/acme/admin/users/7', 401, '/api/tenants/:tenant/admin/**'],
  ['a path that is encoded', '/API/tenants/a%2Fb/Admin/', 401, '/api/tenants/:tenant/admin/**'],
  ['a route in the same mount', '/api/tenants/acme/admin/users/7?who', 200, '/api/tenants/:tenant/admin/users/:user'],
  ['passed on by all mounts', '/api/tenants/acme/admin/nothing?who', 404, undefined, 'NOT_FOUND'],
  ['an error that is handled outside', '/api/tenants/acme/admin/failing?who', 500, undefined],
  ['a router that is mounted twice', '/loop/acme/admin', 401, '/loop/:tenant/admin/**'],
  ['a static file', '/static/logo.svg', 200, '/static/**'],
  ['a redirection to a static directory', '/static/folder', 301, '/static/**'],
  ['a static file that does not exist', '/static/nothing.svg', 404, undefined, 'NOT_FOUND'],
  ['a 404 of a mounted application', '/shops/acme/nothing', 404, '/shops/:shop/**'],
  ['a 404 of an application in it', '/shops/acme/reports/nothing', 404, '/shops/:shop/reports/**'],
  ['a 404 behind an application that passes on', '/shops/acme/passed/nothing', 404, '/shops/:shop/**'],
  ['a route of a mounted application', '/shops/acme/plain', 200, '/shops/:shop/plain'],
  ['a mount in an application in it', '/shops/acme/reports/yearly/1999/x', 401, '/shops/:shop/reports/yearly/:year/**'],
  ['a mount in a mounted application', '/shops/acme/carts/7/items/8', 401, '/shops/:shop/carts/:cart/items/**'],
  ['a middleware without a router', '/files/acme', 200, '/files/:name/**'],
  ['one of two mounts with different templates', '/same/either?first', 401, undefined],
  ['the only mount that matches', '/either/acme', 401, '/either/**'],
  ['a target that was rewritten before', '/before/acme/old', 401, '/after/:x/old/**'],
  ['a middleware at the root', '/root', 401, undefined],
  ['no mount', '/nothing', 404, undefined, 'NOT_FOUND'],
]

for (const version of ['Express 5', 'Express 5.2', 'Express 4'] as const) {
  describeMounts(version, startExpress(version), expressCases)
}

function startKoa(Application: typeof Koa): Start {
  return (management) => {
    const app = new Application()
    app.silent = true
    app.use(koaAdapter.observe(management))
    const api = new Router()
    api.get('/orders/:id', (context) => {
      context.body = 'ok'
    })
    const shop = new Application()
    shop.use((context, next) => {
      if (context.query['who'] === undefined) return context.throw(401)
      return next()
    })
    shop.use(api.routes()).use(api.allowedMethods())
    shop.use((context, next) => {
      if (context.path !== '/none') return next()
      context.status = 404
      return undefined
    })
    app.use(mount('/shop', shop))
    app.use(
      mount('/assets', (context, next) => {
        if (context.path === '/missing') return next()
        context.body = 'file'
        return undefined
      }),
    )
    app.use(
      mount(
        '/outer',
        mount('/inner', (context) => context.throw(401)),
      ),
    )
    app.use(mount('/passing', (_context, next) => next()))
    app.use(mount('/', (_context, next) => next()))
    app.use((context, next) => {
      if (context.path !== '/root' && context.path !== '/passing/on') return next()
      context.body = 'ok'
      return undefined
    })
    app.use((context, next) => {
      if (context.query['own'] === undefined) return koaAdapter.notFound()(context, next)
      return undefined
    })
    return listen(app.callback())
  }
}

const koaCases: readonly Case[] = [
  ['a middleware of a mounted application', '/shop/orders/7', 401, '/shop/**'],
  ['a route of a mounted application', '/shop/orders/7?who', 200, '/orders/:id'],
  ['a 404 of a mounted application', '/shop/none?who', 404, '/shop/**'],
  ['passed on to notFound', '/shop/nothing?who', 404, undefined, 'NOT_FOUND'],
  ['passed on to the 404 of Koa', '/shop/nothing?who&own', 404, undefined, 'NOT_FOUND'],
  ['a static file', '/assets/logo.svg', 200, '/assets/**'],
  ['a static file that does not exist', '/assets/missing', 404, undefined, 'NOT_FOUND'],
  ['a mount in a mount', '/outer/inner/x', 401, '/inner/**'],
  ['a response behind a mount that has passed the request on', '/passing/on', 200, '/passing/**'],
  ['a middleware at the root', '/root', 200, undefined],
  ['no mount', '/nothing', 404, undefined, 'NOT_FOUND'],
]

describeMounts('Koa 3', startKoa(Koa), koaCases)
describeMounts('Koa 2', startKoa(Koa2 as unknown as typeof Koa), koaCases)

describeMounts(
  'Fastify',
  async (management) => {
    const app = Fastify()
    app.register(fastifyAdapter.observe(management))
    app.register(
      (tenant, _options, done) => {
        tenant.addHook('onRequest', async ({ headers, url }, reply) => {
          if (headers.authorization === undefined && url.includes('secret')) return reply.code(401).send()
          return
        })
        tenant.setNotFoundHandler((_request, reply) => void reply.code(404).send('none'))
        tenant.get('/items/:item', async () => 'ok')
        tenant.get('/lost/:item', (_request, reply) => reply.callNotFound())
        done()
      },
      { prefix: '/v1/:tenant' },
    )
    app.register(
      (plain, _options, done) => {
        plain.get('/items/:item', async () => 'ok')
        done()
      },
      { prefix: '/plain' },
    )
    app.get('/static/*', async () => 'file')
    await app.ready()
    return { port: await listenOn(app.server), close: () => app.close() }
  },
  [
    ['a route of a plugin', '/v1/acme/items/7', 200, '/v1/:tenant/items/:item'],
    ['a hook before a route', '/v1/acme/items/secret', 401, '/v1/:tenant/items/:item'],
    ['a hook before the 404 of a plugin', '/v1/acme/secret', 401, '/v1/:tenant/**'],
    ['a 404 of a plugin', '/v1/acme/nothing', 404, '/v1/:tenant/**'],
    ['a route that calls the 404 of its plugin', '/v1/acme/lost/7', 404, '/v1/:tenant/**'],
    ['a plugin without a 404 of its own', '/plain/nothing', 404, undefined, 'NOT_FOUND'],
    ['a wildcard route', '/static/logo.svg', 200, '/static/*'],
    ['no plugin', '/nothing', 404, undefined, 'NOT_FOUND'],
  ],
)

describeMounts(
  'Hono',
  (management) => {
    const app = new Hono()
    app.use(honoAdapter.observe(management))
    app.use('*', ({ req, text }, next) => (req.path === '/root' ? Promise.resolve(text('no', 401)) : next()))
    app.use('/admin/*', ({ req, text }, next) =>
      req.query('who') === undefined ? Promise.resolve(text('no', 401)) : next(),
    )
    app.get('/admin/users/:user', ({ text }) => text('ok'))
    app.use('/static/*', ({ req, text }, next) => (req.path.endsWith('.svg') ? Promise.resolve(text('file')) : next()))
    const team = new Hono().use(({ req, redirect }, next) =>
      req.query('moved') === undefined ? next() : Promise.resolve(redirect('/elsewhere')),
    )
    team.get('/members/:member', ({ text }) => text('ok'))
    app.basePath('/v1').route('/teams/:team', team)
    app.mount('/mounted', () => new Response('none', { status: 404 }))
    return listen(getRequestListener(app.fetch, { overrideGlobalObjects: false }))
  },
  [
    ['a middleware of a pattern', '/admin/users/7', 401, '/admin/**'],
    ['a route below it', '/admin/users/7?who=me', 200, '/admin/users/:user'],
    ['a static file', '/static/logo.svg', 200, '/static/**'],
    ['a redirection by a mounted application', '/v1/teams/red/members/7?moved', 302, '/v1/teams/:team/**'],
    ['a route of a mounted application', '/v1/teams/red/members/7', 200, '/v1/teams/:team/members/:member'],
    ['a 404 of another framework', '/mounted/nothing', 404, '/mounted/**'],
    ['a middleware at the root', '/root', 401, undefined],
    ['passed on by a middleware, which Hono does not tell apart', '/v1/teams/red/nothing', 404, '/v1/teams/:team/**'],
    ['no mount', '/nothing', 404, undefined, 'NOT_FOUND'],
  ],
)
