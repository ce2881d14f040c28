import { getRequestListener } from '@hono/node-server'
import express5 from 'express'
import express4 from 'express4'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import mount from 'koa-mount'
import { createManagement, type Management } from 'upkeep'
import { manage as manageExpress, observe, serve } from 'upkeep/express'
import { manage as manageFastify } from 'upkeep/fastify'
import { manage as manageHono } from 'upkeep/hono'
import { manage as manageKoa } from 'upkeep/koa'
import { createResources, document } from 'upkeep/rest'
import { afterEach, describe, expect, it } from 'vitest'
import { listen } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'

const open: { close(): unknown }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

type Start = (path: string, management: Management) => Promise<number>

const startExpress =
  (create: typeof express5): Start =>
  async (path, management) => {
    const app = create()
    app.use(path, manageExpress(management))
    app.use((_req, res) => void res.status(418).end())
    const listening = await listen(app)
    open.push(listening)
    return listening.port
  }

const starts: readonly (readonly [string, Start])[] = [
  ['Express 5', startExpress(express5)],
  ['Express 4', startExpress(express4 as typeof express5)],
  [
    'Koa',
    async (path, management) => {
      const app = new Koa()
      app.use(mount(path, manageKoa(management)))
      app.use((context) => Object.assign(context, { status: 418 }))
      const listening = await listen(app.callback())
      open.push(listening)
      return listening.port
    },
  ],
  [
    'Fastify',
    async (prefix, management) => {
      const app = Fastify()
      app.register(manageFastify(management), { prefix })
      app.setNotFoundHandler((_request, reply) => void reply.code(418).send())
      open.push(app)
      return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
    },
  ],
  [
    'Hono',
    async (path, management) => {
      const app = new Hono()
      app.use(`${path}/*`, manageHono(management))
      app.all('*', (context) => context.body(null, 418 as never))
      const listening = await listen(getRequestListener(app.fetch, { overrideGlobalObjects: false }))
      open.push(listening)
      return listening.port
    },
  ],
]

describe.each(starts)('a management that %s mounts at its own base path', (name, start) => {
  it('has its endpoints there, without repeating the base path', async () => {
    const port = await start('/management', createManagement())
    const sendRequest = createRawClient(port)
    expect((await sendRequest({ target: '/management/health' })).body).toBe(
      '{"status":"UP","groups":["liveness","readiness"]}',
    )
    expect((await sendRequest({ target: '/management/health/liveness?x' })).status).toBe(200)
    expect((await sendRequest({ target: `http://127.0.0.1:${port}/management/health` })).status).toBe(200)
    const page = await sendRequest({ target: '/management' })
    const base = `http://127.0.0.1:${port}/management`
    expect(JSON.parse(page.body)).toEqual({
      _links: {
        self: { href: base, templated: false },
        health: { href: `${base}/health`, templated: false },
        'health-path': { href: `${base}/health/{*path}`, templated: true },
      },
    })
    const doubled = await sendRequest({ target: '/management/management/health' })
    expect([doubled.status, JSON.parse(doubled.body).instance]).toEqual([404, '/management/management/health'])
    expect((await sendRequest({ target: '/health' })).status).toBe(418)
    expect((await sendRequest({ target: '/managementx/health' })).status).toBe(418)
  })

  // Hono's middleware has no mount path.
  if (name !== 'Hono')
    it('has them below the base path if it is mounted elsewhere', async () => {
      const sendRequest = createRawClient(await start('/ops', createManagement()))
      expect((await sendRequest({ target: '/ops/management/health' })).status).toBe(200)
      expect((await sendRequest({ target: '/ops/health' })).status).toBe(418)
    })
})

describe('resources that Express mounts at their own base path', () => {
  it('have URLs and templates that contain it once', async () => {
    const management = createManagement({ expose: ['metrics'] })
    const resources = createResources({
      basePath: '/api',
      description: { title: 'Orders', version: '1' },
      resources: [document('orders/{order}', { read: ({ addressOf }) => ({ at: addressOf('orders/1') }) })],
    })
    const app = express5()
    app.use(observe(management), manageExpress(management)).use('/api', serve(resources))
    const listening = await listen(app)
    open.push(listening)
    const sendRequest = createRawClient(listening.port)
    expect((await sendRequest({ target: '/api/orders/7' })).body).toBe('{"at":"/api/orders/1"}')
    expect(JSON.parse((await sendRequest({ target: '/api/openapi' })).body).servers).toEqual([{ url: '/' }])
    const detail = '/management/metrics/http.server.requests?tag=uri:/api/orders/{order}'
    await expect.poll(async () => (await sendRequest({ target: detail })).status).toBe(200)
  })
})
