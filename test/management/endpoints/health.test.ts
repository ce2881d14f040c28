import { describe, expect, it, vi } from 'vitest'
import { useFakeTime } from '../../support/fake-time.ts'
import { createManagementClient } from '../../support/management-client.ts'

const clock = useFakeTime()
const groups = ['liveness', 'readiness']
const up = () => 'UP'
const down = () => Promise.reject(new Error('no'))

const health = '/management/health'
const uncached = { 'Cache-Control': 'no-store', Pragma: 'no-cache', Expires: '0' }

describe('GET health', () => {
  it('of an application without indicators is UP', async () => {
    expect(await createManagementClient().send(health)).toEqual({
      status: 200,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': '49',
        ...uncached,
        Vary: 'Accept',
      },
      body: '{"status":"UP","groups":["liveness","readiness"]}',
      json: { status: 'UP', groups },
    })
  })

  it('contains everything if everything is shown, ordered by name', async () => {
    const { send } = createManagementClient({
      clock,
      health: {
        indicators: {
          db: async () => ({ status: 'UP', details: { database: 'PostgreSQL', validationQuery: 'SELECT 1' } }),
          cache: { indicators: { second: () => 'UNKNOWN', first: { check: up } } },
          app: { state: () => ({ status: 'DEGRADED', description: 'one of two' }) },
        },
        showDetails: 'always',
      },
    })
    expect((await send(health)).body).toBe(
      JSON.stringify({
        status: 'UP',
        components: {
          app: { status: 'DEGRADED', description: 'one of two' },
          cache: { status: 'UP', components: { first: { status: 'UP' }, second: { status: 'UNKNOWN' } } },
          db: { status: 'UP', details: { database: 'PostgreSQL', validationQuery: 'SELECT 1' } },
          livenessState: { status: 'UP' },
          readinessState: { status: 'UP' },
        },
        groups,
      }),
    )
  })

  it('reports why a component fails, without affecting others', async () => {
    const { send } = createManagementClient({
      clock,
      health: { indicators: { good: up, bad: down }, showDetails: 'always' },
    })
    const { status, json } = await send(health)
    expect([status, json]).toEqual([
      503,
      {
        status: 'DOWN',
        components: {
          bad: { status: 'DOWN', details: { error: 'Error: no' } },
          good: { status: 'UP' },
          livenessState: { status: 'UP' },
          readinessState: { status: 'UP' },
        },
        groups,
      },
    ])
  })

  it('waits for a component that hangs until its deadline, and no longer', async () => {
    const hang = { check: () => new Promise<never>(() => {}), timeout: '250ms' } as const
    const { send } = createManagementClient({
      clock,
      health: { indicators: { hang, good: up }, showDetails: 'always' },
    })
    const response = send(health)
    await vi.advanceTimersByTimeAsync(250)
    expect(await response).toMatchObject({
      status: 503,
      json: {
        components: {
          good: { status: 'UP' },
          hang: { status: 'DOWN', details: { error: 'TimeoutError: no response within 250 ms' } },
        },
      },
    })
  })

  it('runs a check once for concurrent requests of different visibility', async () => {
    const check = vi.fn(up)
    const { send } = createManagementClient({
      clock,
      health: { indicators: { db: check }, groups: { mine: { include: ['db'] } }, showComponents: 'always' },
    })
    await Promise.all(
      [health, health, `${health}/db`, `${health}/mine`, `${health}/mine/db`].map((target) => send(target)),
    )
    expect(check).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['UP', 200],
    ['UNKNOWN', 200],
    ['OUT_OF_SERVICE', 503],
    ['DOWN', 503],
    ['out-of-service', 503],
    ['DEGRADED', 200],
  ])('of a component that is %s is a %i', async (status, code) => {
    const { send } = createManagementClient({
      clock,
      health: { indicators: { db: () => status }, showComponents: 'always' },
    })
    expect((await send(`${health}/db`)).status).toBe(code)
    expect(await send(`${health}/db`, { method: 'HEAD' })).toMatchObject({ status: code, body: null })
  })

  it('reports a component at any depth, as within its parent', async () => {
    const replica = { check: () => ({ status: 'DOWN', details: { lag: '9s' } }) }
    const { send } = createManagementClient({
      clock,
      health: {
        indicators: { db: { indicators: { eu: { indicators: { replica, primary: up } }, us: up } } },
        showDetails: 'always',
      },
    })
    const eu = {
      status: 'DOWN',
      components: { primary: { status: 'UP' }, replica: { status: 'DOWN', details: { lag: '9s' } } },
    }
    expect(await send(`${health}/db`)).toMatchObject({
      status: 503,
      json: { status: 'DOWN', components: { eu, us: { status: 'UP' } } },
    })
    expect(await send(`${health}/db/eu`)).toMatchObject({ status: 503, json: eu })
    expect(await send(`${health}/db/eu/replica`)).toMatchObject({ status: 503, json: eu.components.replica })
    expect(await send(`${health}/db/eu/primary`)).toMatchObject({ status: 200, body: '{"status":"UP"}' })
    for (const path of ['db/replica', 'db/eu/us', 'db/eu/replica/lag']) {
      expect((await send(`${health}/${path}`)).status).toBe(404)
    }
  })

  it('applies a configured order and HTTP mapping', async () => {
    const indicators = { a: () => 'DEGRADED', b: () => 'DOWN' }
    const view = { order: ['DEGRADED', 'DOWN', 'UP'], httpMapping: { degraded: 429 } }
    expect(await createManagementClient({ clock, health: { indicators, ...view } }).send(health)).toMatchObject({
      status: 429,
      json: { status: 'DEGRADED' },
    })
    expect(
      await createManagementClient({ clock, health: { indicators: { b: indicators.b }, ...view } }).send(health),
    ).toMatchObject({
      status: 200,
      json: { status: 'DOWN' },
    })
  })

  it.each([
    { 'if-none-match': '*' },
    { 'if-none-match': '"x"' },
    { 'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT' },
  ])('is never spared by %j', async (headers) => {
    const response = await createManagementClient().send(health, { headers })
    expect(response).toMatchObject({ status: 200, headers: uncached })
    expect(Object.keys(response.headers)).not.toContain('ETag')
  })

  it('is the same text for the consoles of Spring Boot', async () => {
    const type = 'application/vnd.spring-boot.actuator.v3+json'
    const { send } = createManagementClient()
    const plain = await send(health)
    const { headers, body } = await send(health, {
      headers: { accept: `${type}, application/vnd.spring-boot.actuator.v2+json` },
    })
    expect([headers, body]).toEqual([{ ...plain.headers, 'Content-Type': type }, plain.body])
  })

  it('supports range requests', async () => {
    expect((await createManagementClient().send(`${health}?fields=status`)).json).toEqual({ status: 'UP' })
  })

  it('has a Content-Length in bytes for non-ASCII text', async () => {
    const { send } = createManagementClient({
      clock,
      health: {
        indicators: { '\u6570\u636e\u5e93': () => ({ status: 'UP', details: { note: '\u{1f600}' } }) },
        showDetails: 'always',
      },
    })
    const { headers, body, json } = await send(`${health}/%E6%95%B0%E6%8D%AE%E5%BA%93`)
    expect(json).toEqual({ status: 'UP', details: { note: '\u{1f600}' } })
    expect(headers['Content-Length']).toBe(String(new TextEncoder().encode(String(body)).length))
  })
})

describe('HEAD and OPTIONS of health', () => {
  it('respond like GET without its body, and with the allowed methods', async () => {
    const { send } = createManagementClient()
    const { body: _, json: __, ...head } = await send(health)
    expect(await send(health, { method: 'HEAD' })).toEqual({ ...head, body: null, json: undefined })
    expect(await send(`${health}/liveness`, { method: 'OPTIONS' })).toMatchObject({
      status: 204,
      headers: { Allow: 'GET, HEAD, OPTIONS' },
    })
  })
})
