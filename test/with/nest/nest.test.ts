import { ShutdownSignal } from '@nestjs/common'
import { bearerToken } from 'upkeep'
import { type CaseOutcome, contract } from 'upkeep/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import { describeProgram } from '../../support/describe-program.ts'
import { eventually } from '../../support/eventually.ts'
import { queryPrometheus, startPrometheus } from '../../support/start-prometheus.ts'
import { OrdersController, Warehouse } from './application/orders.ts'
import { platforms, type StartedNest, startNest } from './application/start.ts'

const key = { 'x-api-key': 'secret' }

describe.each(platforms)('UpkeepModule on %s', (platform) => {
  let nest: StartedNest
  beforeAll(async () => {
    nest = await startNest(platform)
  })
  afterAll(() => nest.app.close())

  const get = (path: string, headers: Record<string, string> = {}) => fetch(nest.url + path, { headers })
  const post = (body: string) =>
    fetch(`${nest.url}/api/v1/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const scrape = async () => (await get('/management/prometheus', key)).text()
  const componentOf = async (name: string) => {
    const response = await get(`/management/health/${name}`)
    return { code: response.status, ...((await response.json()) as object) }
  }

  it('serves the endpoints outside of the global prefix and the versions', async () => {
    expect((await get('/management/health/readiness')).status).toBe(200)
    expect((await get('/api/management/health')).status).toBe(404)
  })

  it('observes guards, pipes, filters, parsers and unknown paths, by route template and exception', async () => {
    const statuses = [
      (await get('/api/v1/orders/7')).status,
      (await get('/api/v1/orders/seven')).status,
      (await get('/api/v1/orders/secret/door')).status,
      (await get('/api/v1/nothing')).status,
      (await post('{"quantity":1,"region":"eu"}')).status,
      (await post('{"quantity":70,"region":"eu"}')).status,
      (await post('{"quantity":7,"region":"eu"}')).status,
      (await post('{')).status,
    ]
    expect(statuses).toEqual([200, 400, 401, 404, 201, 500, 409, 400])
    const found = [...(await scrape()).matchAll(/^http_server_requests_seconds_count\{(.*)\} \d+$/gm)].map(
      ([, tags = '']) =>
        ['status', 'uri', 'exception'].map((tag) => new RegExp(`${tag}="([^"]*)"`).exec(tags)?.[1]).join(' '),
    )
    expect(found.sort()).toEqual(
      [
        '200 /api/v1/orders/:id none',
        '400 /api/v1/orders/:id BadRequestException',
        '401 /api/v1/orders/secret/door UnauthorizedException',
        '404 NOT_FOUND NotFoundException',
        '201 /api/v1/orders none',
        '500 /api/v1/orders RangeError',
        '409 /api/v1/orders ConflictException',
        // The body parser of Express runs before the routes.
        platform === 'express' ? '400 UNKNOWN BadRequestException' : '400 /api/v1/orders HttpException',
      ].sort(),
    )
  })

  it('injects meters, and measures decorated methods', async () => {
    await Promise.all([
      post('{"quantity":2,"region":"us"}'),
      post('{"quantity":20,"region":"us"}'),
      get('/api/v1/orders'),
    ])
    const text = await scrape()
    expect(text).toMatch(/^orders_by_region_total\{region="us"\} 1$/m)
    expect(text).toMatch(/^orders_placed_total [1-9]/m)
    expect(text).toMatch(/^method_timed_seconds_count\{class="OrdersController",exception="none",method="find"\} \d/m)
    expect(text).toMatch(/^orders_listed_seconds_count\{class="OrdersController",exception="none",method="list"\} \d/m)
    expect(text).toMatch(/^warehouse_reserved_total\{.*exception="RangeError".*result="failure"\} \d/m)
  })

  it('checks providers with @Indicator, and indicators of @nestjs/terminus', async () => {
    const warehouse = nest.app.get(Warehouse)
    expect(await componentOf('courier')).toEqual({ code: 200, status: 'UP', details: { vans: 3 } })
    expect(await componentOf('heap')).toMatchObject({ code: 200, status: 'UP' })
    warehouse.isOpen = false
    expect(await componentOf('warehouse')).toMatchObject({ code: 503, status: 'DOWN' })
    expect(await componentOf('courier')).toEqual({ code: 503, status: 'DOWN', details: { message: 'no van' } })
    warehouse.isOpen = true
  })

  it('authorizes requests by a guard', async () => {
    expect((await get('/management/metrics')).status).toBe(200)
    expect((await get('/management/scheduledtasks')).status).toBe(401)
    expect((await get('/management/scheduledtasks', { 'x-api-key': 'wrong' })).status).toBe(401)
    expect((await get('/management/scheduledtasks', key)).status).toBe(200)
  })

  it('shows and measures the tasks of @nestjs/schedule', async () => {
    const warehouse = nest.app.get(Warehouse)
    warehouse.count()
    await expect(warehouse.restock()).rejects.toThrow('no truck')
    const tasks = await (await get('/management/scheduledtasks', key)).json()
    const { cron, fixedRate } = tasks as { readonly cron: unknown; readonly fixedRate: unknown }
    expect(cron).toMatchObject([
      {
        runnable: { target: 'stock.count' },
        expression: '0 0 3 * * *',
        nextExecution: { time: expect.stringMatching(/T\d\d:00:00\.000Z$/) },
        lastExecution: { status: 'SUCCESS' },
      },
    ])
    expect(fixedRate).toMatchObject([
      {
        runnable: { target: 'Warehouse.restock' },
        interval: 3_600_000,
        lastExecution: { status: 'ERROR', exception: { message: 'no truck' } },
      },
    ])
    expect(warehouse.tasks).toBe(2)
  })
})

describe.each(platforms)('ErrorDocumentFilter on %s', (platform) => {
  it('responds with error documents, and keeps messages of validation and own members', async () => {
    const { app, url } = await startNest(platform, { errorDocuments: true })
    const post = async (body: object) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${url}/api/v1/orders`, { method: 'POST', headers, body: JSON.stringify(body) })
      return { type: response.headers.get('content-type'), ...((await response.json()) as object) }
    }
    const problem = { type: 'about:blank', instance: '/api/v1/orders' }
    expect(await post({ quantity: 7, region: 'eu' })).toMatchObject({ ...problem, status: 409, code: 'SOLD_OUT' })
    expect(await post({ quantity: 70, region: 'eu' })).toEqual({
      ...problem,
      status: 500,
      title: 'Internal Server Error',
    })
    expect(await post({})).toEqual({
      ...problem,
      status: 400,
      title: 'Bad Request',
      detail: 'region must be a string',
      errors: [{ path: '', message: 'region must be a string' }],
    })
    const unknown = await fetch(`${url}/api/nothing`)
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    const text = await (await fetch(`${url}/management/prometheus`, { headers: key })).text()
    expect(text).toMatch(/^http_server_requests_seconds_count\{.*exception="ConflictException".*status="409"/m)
    await app.close()
  })
})

describe.each(platforms)('the end of an application on %s', (platform) => {
  afterEach(() => void vi.useRealTimers())

  it('finishes requests before the hooks of Nest, without delay if no signal ends it', async () => {
    const { app, url, upkeep } = await startNest(platform)
    const order = recordHooks(app.get(Warehouse))
    const { received, release } = holdList()
    const response = fetch(`${url}/api/v1/orders`)
    await received
    const closed = app.close()
    await eventually(() => expect(upkeep.draining.aborted).toBe(true))
    expect(upkeep.availability.readiness).toBe('REFUSING_TRAFFIC')
    expect(order).toEqual([])
    release()
    expect(await (await response).json()).toEqual({ readiness: 'REFUSING_TRAFFIC' })
    await closed
    expect(order).toEqual(['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'])
    await expect(fetch(url)).rejects.toThrow()
  })

  it('serves requests during the delay after a signal, and leaves the exit to Nest', async () => {
    const { app, url } = await startNest(platform, { shutdown: { delay: '1h' } })
    const order = recordHooks(app.get(Warehouse))
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    app.enableShutdownHooks([ShutdownSignal.SIGQUIT])
    // The test controls the clock of the delay; sockets use real time.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    process.emit('SIGQUIT', 'SIGQUIT')
    await eventually(async () => expect((await fetch(`${url}/management/health/readiness`)).status).toBe(503))
    expect((await fetch(`${url}/api/v1/orders/7`)).status).toBe(200)
    expect(order).toEqual([])
    vi.advanceTimersByTime(3_600_000)
    await eventually(() => expect(kill).toHaveBeenCalled())
    expect(order).toEqual(['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'])
    expect(kill.mock.calls).toEqual([[process.pid, 'SIGQUIT']])
    kill.mockRestore()
    expect(process.listenerCount('SIGQUIT')).toBe(0)
  })
})

function recordHooks(provider: object): readonly string[] {
  const called: string[] = []
  for (const hook of ['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown']) {
    Object.assign(provider, { [hook]: () => void called.push(hook) })
  }
  return called
}

/** Holds requests for the list until `release` is called. */
function holdList() {
  const received = deferred()
  const released = deferred()
  OrdersController.onList = () => {
    received.resolve()
    return released.promise
  }
  return { received: received.promise, release: released.resolve }
}

describe.each(['express', 'fastify'] as const)('the contract on %s', (platform) => {
  it('holds for an application with a prefix, versions and a guard', { timeout: 60_000 }, async () => {
    const { app, url } = await startNest(platform, { authorize: bearerToken('t0ken') })
    const outcomes: (CaseOutcome & { readonly id: string })[] = []
    for (const { id, check } of contract({
      baseUrl: url,
      token: 't0ken',
      details: 'always',
      route: '/api/v1/orders/7',
    })) {
      outcomes.push({ id, ...(await check()) })
    }
    expect(outcomes.filter(({ kind }) => kind === 'broken')).toEqual([])
    expect(outcomes.filter(({ kind }) => kind === 'held').length).toBeGreaterThan(250)
    await app.close()
  })
})

describeProgram({ program: 'prometheus', debian: 'prometheus' }, () => {
  it('Prometheus scrapes requests of an application by their routes', async () => {
    const { app, url } = await startNest('fastify')
    const port = Number(new URL(url).port)
    await Promise.all([1, 2, 3].map((id) => fetch(`${url}/api/v1/orders/${id}`)))
    const prometheus = await startPrometheus({ orders: { port, path: '/management/prometheus' } })
    const query = 'http_server_requests_seconds_count{uri="/api/v1/orders/:id"}'
    const stored = async () => {
      const { result } = await queryPrometheus<{ result: { value: [number, string] }[] }>(prometheus, 'query', {
        query,
      })
      return result.map(({ value }) => value[1])
    }
    await expect.poll(stored, { timeout: 20_000, interval: 100 }).toEqual(['3'])
    await prometheus.stop()
    await app.close()
  })
})
