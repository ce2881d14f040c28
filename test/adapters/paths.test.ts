import express from 'express'
import Fastify from 'fastify'
import Koa from 'koa'
import mount from 'koa-mount'
import { createManagement, type Management, type ManagementOptions } from 'upkeep'
import { manage as manageExpress } from 'upkeep/express'
import { manage as manageFastify } from 'upkeep/fastify'
import { manage as manageKoa } from 'upkeep/koa'
import { listen as listenTo } from 'upkeep/node'
import { afterEach, describe, expect, it } from 'vitest'
import { listen } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'
import { listenerOf } from './frameworks/fastify.ts'
import { type ManagedBy, managedBy } from './frameworks/managing.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

async function start(create: ManagedBy, management: Management) {
  const listening = await listen(create(management))
  open.push(listening, management)
  const send = createRawClient(listening.port)
  const status = async (target: string, method = 'GET') => (await send({ target, method })).status
  return { send, status, origin: `http://127.0.0.1:${listening.port}` }
}

const options: ManagementOptions = {
  expose: ['health', 'info', 'metrics', 'prometheus'],
  paths: {
    prometheus: '/metrics',
    metrics: 'meters',
    info: '/about/service',
    'health/liveness': '/livez',
    'health/readiness': 'ready',
  },
}

describe.each(Object.entries(managedBy))('the option paths, with %s', (_, create) => {
  it('moves an endpoint with all that is below it, and adds single paths', async () => {
    const { send, status } = await start(create, createManagement(options))
    const scrape = await send({ target: '/metrics' })
    expect([scrape.status, scrape.body]).toEqual([200, expect.stringContaining('# TYPE process_uptime')])
    expect((await send({ target: '/livez' })).body).toBe('{"status":"UP"}')
    expect((await send({ target: '/livez?verbose' })).body).toBe('{"status":"UP"}')
    const moved = ['/about/service', '/management/meters', '/management/meters/process.uptime', '/management/ready']
    for (const target of moved) expect([target, await status(target)]).toEqual([target, 200])
    const before = ['/management/prometheus', '/management/info', '/management/metrics']
    for (const target of before) expect([target, await status(target)]).toEqual([target, 404])
    for (const target of ['/management/health/liveness', '/management/health/readiness']) {
      expect([target, await status(target)]).toEqual([target, 200])
    }
  })

  it('applies the HTTP rules of endpoints at the root, too', async () => {
    const { send, origin } = await start(create, createManagement(options))
    const head = await send({ target: '/livez', method: 'HEAD' })
    expect([head.status, head.body]).toEqual([200, ''])
    const allowed = await send({ target: '/livez', method: 'OPTIONS' })
    expect([allowed.status, allowed.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS'])
    const refused = await send({ target: '/livez', method: 'DELETE' })
    expect([refused.status, JSON.parse(refused.body)]).toEqual([405, expect.objectContaining({ instance: '/livez' })])
    expect((await send({ target: `${origin}/livez` })).status).toBe(200)
  })

  it('passes on all other requests', async () => {
    const { status } = await start(create, createManagement(options))
    const others = ['/', '/livezz', '/livez/', '/livez/x', '/metrics/x', '/about', '/about/', '/readyz', '/Livez']
    for (const target of others) expect([target, await status(target)]).toEqual([target, 418])
  })

  it('shows the paths on the page of links', async () => {
    const { send, origin } = await start(create, createManagement(options))
    const { _links: links } = JSON.parse((await send({ target: '/management' })).body)
    expect(links).toEqual({
      self: { href: `${origin}/management`, templated: false },
      health: { href: `${origin}/management/health`, templated: false },
      'health-path': { href: `${origin}/management/health/{*path}`, templated: true },
      'health-liveness': { href: `${origin}/livez`, templated: false },
      'health-readiness': { href: `${origin}/management/ready`, templated: false },
      info: { href: `${origin}/about/service`, templated: false },
      metrics: { href: `${origin}/management/meters`, templated: false },
      'metrics-requiredMetricName': {
        href: `${origin}/management/meters/{requiredMetricName}`,
        templated: true,
      },
      prometheus: { href: `${origin}/metrics`, templated: false },
    })
  })

  it('does not count requests for an endpoint at the root as requests to the application', async () => {
    const management = createManagement(options)
    const { send, status } = await start(create, management)
    await status('/livez')
    await status('/metrics')
    await status('/orders')
    const counted = async () =>
      (await send({ target: '/metrics' })).body.match(/^http_server_requests_seconds_count\{.*$/gm) ?? []
    await expect.poll(counted).toEqual([expect.stringMatching(/status="418".* 1$/)])
  })

  it('counts them by their own path if requests to the management are observed', async () => {
    const management = createManagement({ ...options, observation: { managementRequests: true } })
    const { send, status } = await start(create, management)
    await status('/livez?x')
    await status('/management/health')
    const counted = async () =>
      (await send({ target: '/metrics' })).body.match(/^http_server_requests_seconds_count\{.*?uri="[^"]*"/gm) ?? []
    const found = async () => (await counted()).map((line) => line.replace(/.*uri=/, '')).toSorted()
    await expect.poll(found).toEqual(expect.arrayContaining(['"/livez"', '"/management/**"', '"/metrics"']))
  })

  it('serves probes on the port of the application while the endpoints have a port of their own', async () => {
    const management = createManagement({ expose: ['health', 'prometheus'] })
    const own = await listenTo(management, { port: 0 })
    open.push(own)
    const { send, status } = await start(create, management.probes)
    expect((await send({ target: '/livez' })).body).toBe('{"status":"UP"}')
    expect((await send({ target: '/readyz', method: 'HEAD' })).status).toBe(200)
    management.availability.refuseTraffic()
    expect([await status('/livez'), await status('/readyz')]).toEqual([200, 503])
    for (const target of ['/', '/management', '/management/health', '/management/prometheus', '/livez/x']) {
      expect([target, await status(target)]).toEqual([target, 418])
    }
    const sendOwn = createRawClient(own.address.port)
    expect((await sendOwn({ target: '/livez' })).status).toBe(404)
    const { body } = await sendOwn({ target: '/management/prometheus' })
    expect(body).toContain('status="418"')
    expect(body).not.toMatch(/http_server_requests_seconds_count\{[^}]*status="(200|503)"/)
  })
})

describe('a management that is mounted below a path', () => {
  const mounted: readonly (readonly [
    string,
    (path: string, management: Management) => Parameters<typeof listen>[0],
  ])[] = [
    ['Express', (path, management) => express().use(path, manageExpress(management))],
    [
      'Koa',
      (path, management) => {
        const app = new Koa()
        app.use(mount(path, manageKoa(management)))
        return app.callback()
      },
    ],
    [
      'Fastify',
      (prefix, management) => {
        const app = Fastify()
        app.register(manageFastify(management), { prefix })
        return listenerOf(app)
      },
    ],
  ]

  it.each(mounted)('by %s has paths from the root of the server', async (_, create) => {
    const paths = { prometheus: '/ops/metrics', info: '/about', 'health/liveness': '/ops' }
    const management = createManagement({ expose: ['health', 'info', 'prometheus'], paths })
    const { send, status, origin } = await start((each) => create('/ops', each), management)
    expect(await status('/ops/metrics?x')).toBe(200)
    expect((await send({ target: '/ops' })).body).toBe('{"status":"UP"}')
    expect(await status('/ops/management/health')).toBe(200)
    // The framework passes on no other requests.
    for (const target of ['/about', '/ops/about', '/ops/ops/metrics']) expect(await status(target)).toBe(404)
    const { _links: links } = JSON.parse((await send({ target: '/ops/management' })).body)
    expect(links).toMatchObject({
      health: { href: `${origin}/ops/management/health` },
      info: { href: `${origin}/about` },
      prometheus: { href: `${origin}/ops/metrics` },
    })
  })
})
