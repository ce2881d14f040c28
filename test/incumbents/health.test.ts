import { createServer, type RequestListener } from 'node:http'
import { bearerToken, createManagement, type Health, type HealthCheck, type ManagementOptions } from 'upkeep'
import { http, redis } from 'upkeep/health'
import { listen as listenWith, manage } from 'upkeep/node'
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { listenOn } from '../support/listen.ts'
import { createRawClient, type RawRequest } from '../support/raw-client.ts'

// How they shut down, each fault likewise under its name, is in lifecycle/incumbents.test.ts; 10,000 checks past their
// deadline, and that nothing is left of them (nestjs/terminus #2767), in health/leaks.test.ts.

const quiet = { metrics: { runtime: false }, report: () => {} } as const

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return listenOn(server)
}

/** An application of which everything but its management answers 200. */
async function open(health: ManagementOptions['health'], options: ManagementOptions = {}) {
  const management = createManagement({ ...quiet, health, ...options })
  onTestFinished(() => management.close())
  const managed = manage(management)
  const send = createRawClient(await serve((req, res) => managed(req, res, () => res.end('the application'))))
  return {
    management,
    send: (path: string, rest: Omit<RawRequest, 'target'> = {}) => send({ ...rest, target: `/management${path}` }),
  }
}

const secret = 'hunter2'
const fail = () => Promise.reject(new Error(`cannot reach postgres://app:${secret}@db/orders`))
const hang = () => new Promise<never>(() => {})
const known = { Authorization: 'Bearer token' }

describe('unlike others, health', () => {
  it('does not pass spellings of its path to an application that responds with 200: @godaddy/terminus', async () => {
    const { send } = await open({ indicators: { db: () => 'DOWN' } })
    const statuses = ['/health', '/health?x=1', '/health?', '/health/', '/health/?x=1'].map(async (path) => {
      const { status, body } = await send(path)
      expect(body).not.toBe('the application')
      return status
    })
    expect(await Promise.all(statuses)).toEqual([503, 503, 503, 404, 404])
  })

  it('does not respond to POST as to GET: @godaddy/terminus', async () => {
    const { send } = await open({})
    expect(await send('/health', { method: 'POST' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, OPTIONS' },
    })
  })

  it('does not include an earlier response in a later one: @godaddy/terminus', async () => {
    const responses: Health[] = [
      { status: 'UP', details: { a: 1 } },
      { status: 'UP', details: { b: 2 } },
      { status: 'UP', description: 'neither' },
    ]
    const check = { check: () => responses.shift() ?? 'UP', cache: '0ms' } as const
    const { send } = await open({ indicators: { db: check }, showDetails: 'always' })
    const documents = []
    for (let times = 0; times < 4; times++) documents.push(JSON.parse((await send('/health/db')).body))
    expect(documents).toEqual([
      { status: 'UP', details: { a: 1 } },
      { status: 'UP', details: { b: 2 } },
      { status: 'UP', description: 'neither' },
      { status: 'UP' },
    ])
  })

  it.each(['@godaddy/terminus', '@nestjs/terminus'])('does not expose failures: %s', async () => {
    const { send } = await open({ indicators: { db: fail } })
    expect(await send('/health')).toMatchObject({
      status: 503,
      body: '{"status":"DOWN","groups":["liveness","readiness"]}',
    })
    expect((await send('/health/db')).status).toBe(404)
  })

  it('never exposes a password: @godaddy/terminus', async () => {
    const { send } = await open(
      { indicators: { db: fail }, showDetails: 'when-authorized' },
      { authorize: bearerToken('token') },
    )
    const { body } = await send('/health', { headers: known })
    expect(body).toContain('cannot reach postgres://***@db/orders')
    expect(body).not.toContain(secret)
  })

  it.each(['@godaddy/terminus', 'express-actuator'])(
    'shares no state between two instances of one process: %s',
    async () => {
      const [one, other] = [
        await open({ indicators: { a: () => 'DOWN' }, showDetails: 'always', httpMapping: { DOWN: 500 } }),
        await open({ indicators: { b: () => 'DOWN' }, showComponents: 'always' }),
      ]
      const [first, second] = [await one.send('/health'), await other.send('/health')]
      expect([first.status, second.status]).toEqual([500, 503])
      expect([first, second].map(({ body }) => Object.keys(JSON.parse(body).components)[0])).toEqual(['a', 'b'])
    },
  )

  it.each(['@godaddy/terminus', '@cloudnative/health', '@nestjs/terminus #1960', '@fastify/under-pressure'])(
    'does not wait for a hanging check: %s',
    async () => {
      const { send } = await open({
        indicators: { db: { check: hang, timeout: '50ms' }, app: () => 'UP' },
        showDetails: 'always',
      })
      expect(JSON.parse((await send('/health')).body).components).toMatchObject({
        app: { status: 'UP' },
        db: { status: 'DOWN', details: { error: 'TimeoutError: no response within 50 ms' } },
      })
    },
  )

  it.each(['@godaddy/terminus', '@fastify/under-pressure'])('does not run a check per probe: %s', async () => {
    const check = vi.fn(() => 'UP')
    const { send } = await open({ indicators: { db: { check, cache: '1m' } } })
    for (let probes = 0; probes < 10; probes++) await send('/health')
    expect(check).toHaveBeenCalledTimes(1)
  })

  it('includes the result of a check: @godaddy/terminus', () => {
    expectTypeOf<ReturnType<HealthCheck>>().toEqualTypeOf<string | Health | Promise<string | Health>>()
  })

  it('opens no server by itself, and none on all interfaces: lightship', async () => {
    const handles = process.getActiveResourcesInfo().length
    const management = createManagement(quiet)
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(handles)
    const listening = await listenWith(management, { port: 0 })
    expect(listening.address.address).toBe('127.0.0.1')
    await listening.close()
  })

  it('has checks in addition to flags: lightship', async () => {
    const { send, management } = await open({
      indicators: { db: () => 'DOWN' },
      groups: { readiness: { include: ['readinessState', 'db'] } },
    })
    expect(management.availability.readiness).toBe('ACCEPTING_TRAFFIC')
    expect((await send('/health/readiness')).status).toBe(503)
  })

  it('responds with more than one word: lightship, @fastify/under-pressure', async () => {
    const { send } = await open({ indicators: { db: () => 'UP' }, showComponents: 'always' })
    const { headers, body } = await send('/health')
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(body)).toMatchObject({ status: 'UP', components: { db: { status: 'UP' } } })
  })

  it('has no dependencies, and runs on Node 20: lightship', () => {
    expect(packageJson).not.toHaveProperty('dependencies')
    expect(packageJson.engines.node).toBe('^20.19.0 || >=22.13.0')
  })

  it('does not treat every response of another service as a success: @cloudnative/health', async () => {
    let status = 500
    const port = await serve((_, res) => res.writeHead(status).end())
    const { send } = await open({
      indicators: { other: { check: http(`http://127.0.0.1:${port}/`), cache: '0ms' } },
      showDetails: 'always',
    })
    expect(JSON.parse((await send('/health/other')).body)).toMatchObject({ status: 'DOWN', details: { status: 500 } })
    status = 200
    expect(JSON.parse((await send('/health/other')).body)).toMatchObject({ status: 'UP', details: { status: 200 } })
  })

  it('responds with 503 and the results of the others if a check throws any value: @nestjs/terminus', async () => {
    const { send } = await open({
      indicators: {
        app: () => ({ status: 'UP', details: { a: 1 } }),
        db: () => Promise.reject({ odd: true }),
        cache: () => {
          throw undefined
        },
      },
      showDetails: 'always',
    })
    const { status, body } = await send('/health')
    expect([status, JSON.parse(body).components]).toMatchObject([
      503,
      {
        app: { status: 'UP', details: { a: 1 } },
        cache: { status: 'DOWN', details: { error: 'undefined' } },
        db: { status: 'DOWN', details: { error: '{"odd":true}' } },
      },
    ])
  })

  it('has groups, an order and an HTTP status for each status: @nestjs/terminus', async () => {
    const { send } = await open({
      indicators: { a: () => 'DEGRADED', b: () => 'UP' },
      groups: { mine: { include: ['a'], order: ['DEGRADED'], httpMapping: { DEGRADED: 429 } } },
      order: ['DEGRADED', 'UP'],
    })
    expect(await send('/health')).toMatchObject({ status: 200, body: expect.stringContaining('"status":"DEGRADED"') })
    expect(await send('/health/mine')).toMatchObject({ status: 429, body: '{"status":"DEGRADED"}' })
  })

  it('has an indicator for Redis: @nestjs/terminus', async () => {
    const { send } = await open({
      indicators: { cache: redis({ ping: async () => 'PONG', info: async () => 'redis_version:7.0.15' }) },
      showDetails: 'always',
    })
    expect(JSON.parse((await send('/health/cache')).body)).toMatchObject({ status: 'UP' })
  })

  it('does not respond to a probe with 304: @nestjs/terminus #2328', async () => {
    const { send } = await open({})
    for (const headers of [{ 'If-None-Match': '*' }, { 'If-Modified-Since': 'Thu, 01 Jan 2099 00:00:00 GMT' }]) {
      const response = await send('/health/readiness', { headers })
      expect(response).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
      expect(response.headers).not.toHaveProperty('etag')
    }
  })

  it('responds to HEAD as to GET: @fastify/under-pressure #148', async () => {
    const { send } = await open({ indicators: { db: () => 'DOWN' } })
    const [get, head] = [await send('/health'), await send('/health', { method: 'HEAD' })]
    expect([head.status, head.body]).toEqual([get.status, ''])
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })

  it('is not constant, and has an index: express-actuator', async () => {
    let status = 'UP'
    const { send } = await open({ indicators: { db: { check: () => status, cache: '0ms' } } })
    const before = await send('/health')
    status = 'DOWN'
    expect([before.status, (await send('/health')).status, (await send('')).status]).toEqual([200, 503, 200])
  })
})
