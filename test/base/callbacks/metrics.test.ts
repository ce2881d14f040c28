import { PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createManagement, type ManagementOptions, type MeterFilter } from 'upkeep'
import { instrument } from 'upkeep/instrumentation'
import { manage, observe } from 'upkeep/node'
import { startTelemetry } from 'upkeep/otlp'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { collectUncaughtErrors, faultyCallbacks, faultyCallbacksAndNull } from '../../support/faulty-callbacks.ts'
import { startReceiver } from '../../support/otlp/receiver.ts'
import { startHttp } from '../../support/start-http.ts'

async function startService(options: ManagementOptions) {
  const report = vi.fn()
  const management = createManagement({
    expose: ['health', 'metrics', 'prometheus'],
    health: { indicators: { db: () => 'UP' } },
    report,
    ...options,
  })
  onTestFinished(() => management.close())
  const observed = observe(management, { route: (req) => (req.url === '/orders' ? '/orders' : undefined) })
  const managed = manage(management)
  const server = await startHttp((req, res) => {
    observed(req, res, () => managed(req, res, () => void res.writeHead(req.url === '/orders' ? 200 : 404).end('done')))
  })
  onTestFinished(server.dispose)
  const get = async (path: string, accept = '*/*') => {
    const response = await fetch(server.url + path, { headers: { accept } })
    return { status: response.status, text: await response.text() }
  }
  const scrape = async (accept = 'text/plain') => (await get('/management/prometheus', accept)).text
  const reports = () => report.mock.calls.map(([message]) => String(message))
  return { management, get, scrape, reports }
}

/** Resolves when a garbage collection has been observed, as the meters of the process observe it. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const seen = new Promise<void>((resolve) => {
    const observer = new PerformanceObserver(() => {
      observer.disconnect()
      resolve()
    })
    observer.observe({ type: 'gc' })
  })
  runInNewContext('gc')()
  await seen
}

const functions = ['map', 'accept', 'configure'] as const

describe.each(functions)('a filter whose %s', (name) => {
  it.each(faultyCallbacksAndNull)('%s does not change any meter, wherever it is called', async (title, callback) => {
    const { escaped } = collectUncaughtErrors()
    const filter = { [name]: callback } as MeterFilter
    const { management, get, scrape, reports } = await startService({ metrics: { filters: [filter] } })
    onTestFinished(instrument(management))
    management.meters.counter('placed', { channel: 'web' }).increment()
    management.meters.timer('work').record(1)

    expect((await get('/orders')).status).toBe(200)
    expect((await get('/nowhere')).status).toBe(404)
    expect((await get('/management/health/db')).status).toBe(404)
    expect((await management.health.check('db'))?.status).toBe('UP')
    await collectGarbage()
    const scraped = () => scrape()
    await eventually(async () => expect(await scraped()).toContain('jvm_gc_pause_seconds_count'))

    const page = await scraped()
    expect(page).toContain('placed_total{channel="web"} 1')
    expect(page).toContain('work_seconds_sum 1')
    expect(page).toMatch(/http_server_requests_seconds_count\{[^}]*status="404",uri="NOT_FOUND"\} 1/)
    expect(page).toMatch(/http_client_requests_seconds_count\{[^}]*status="200"[^}]*\}/)
    expect(page).toContain('health_check_seconds_count{component="db",status="UP"} 1')
    expect(await escaped()).toEqual([])
    const failures = reports().filter((message) => message.includes('metrics.filters'))
    expect(failures).toEqual(
      title === 'returns null' ? [] : [expect.stringContaining(`"${name}" failed for the meter`)],
    )
  })
})

describe('a filter that configures', () => {
  it.each([
    ['a bound that is a string', { slo: ['50ms'] }],
    ['bounds that are not a list', { slo: 5 }],
    ['percentiles that are not a list', { percentiles: 0.5 }],
    ['a percentile beyond 1', { percentiles: [95] }],
  ])('%s leaves meters their own options', async (_, options) => {
    const filters = [{ configure: () => options as never }]
    const { management, get, scrape, reports } = await startService({ metrics: { filters } })
    management.meters.timer('work', {}, { slo: [2] }).record(1)
    expect((await get('/nowhere')).status).toBe(404)
    const page = await scrape()
    expect(page).toContain('work_seconds_bucket{le="2.0"} 1')
    expect(page).toContain('http_server_requests_seconds_count')
    expect(reports()).toEqual([expect.stringContaining('metrics.filters: "configure" failed for the meter')])
  })
})

it('a filter that returns tags as an object is reported with the shape that tags have', async () => {
  const filters: MeterFilter[] = [{ map: (meter) => ({ ...meter, tags: { path: '/' } as never }) }]
  const { get, reports } = await startService({ metrics: { filters } })
  expect((await get('/nowhere')).status).toBe(404)
  expect(reports()).toEqual([expect.stringContaining('tags: expected an array of { key, value }, received an object')])
})

it('a filter that maps a meter onto one of another kind is ignored', async () => {
  const filters: MeterFilter[] = [
    { map: (meter) => (meter.name.startsWith('http') ? { ...meter, name: 'one', tags: [] } : meter) },
  ]
  const { management, get, scrape, reports } = await startService({ metrics: { filters, runtime: false } })
  management.meters.counter('one').increment()
  expect((await get('/nowhere')).status).toBe(404)
  await eventually(async () => expect(await scrape()).toMatch(/http_server_requests_seconds_count\{.*uri="NOT_FOUND"/))
  expect(reports()).toEqual([expect.stringContaining("There is already a counter 'one'")])
})

it('a meter of the application with the name of the request timer does not affect requests', async () => {
  const { escaped } = collectUncaughtErrors()
  const { management, get, scrape, reports } = await startService({ metrics: { runtime: false } })
  const tags = {
    uri: 'NOT_FOUND',
    method: 'GET',
    status: 404,
    outcome: 'CLIENT_ERROR',
    exception: 'none',
    error: 'none',
  }
  management.meters.gauge('http.server.requests', tags, () => 1)
  for (let times = 0; times < 2; times++) expect((await get('/nowhere')).status).toBe(404)
  expect(await scrape()).toContain('http_server_requests')
  expect(await escaped()).toEqual([])
  expect(reports()).toEqual(['failed to record http.server.requests'])
})

describe('a source of exemplars that', () => {
  it.each(faultyCallbacksAndNull)('%s loses only the exemplars', async (title, exemplar) => {
    const { escaped } = collectUncaughtErrors()
    const { management, get, scrape, reports } = await startService({ metrics: { exemplar, runtime: false } })
    management.meters.counter('placed').increment()
    management.meters.timer('work', {}, { slo: [2] }).record(1)
    expect((await get('/orders')).status).toBe(200)
    for (const accept of ['text/plain', 'application/openmetrics-text;version=1.0.0']) {
      const page = await scrape(accept)
      expect(page).toMatch(/^placed_total 1(\.0)?$/m)
      expect(page).toMatch(/^work_seconds_count 1(\.0)?$/m)
      if (accept.includes('openmetrics')) expect(page.endsWith('# EOF\n')).toBe(true)
    }
    expect(await escaped()).toEqual([])
    expect(reports()).toEqual(title === 'returns null' ? [] : [expect.stringMatching(/^metrics\.exemplar failed/)])
  })

  it.each([
    ['null as ids', { traceId: null, spanId: null }],
    ['numbers as ids', { traceId: 1, spanId: 2 }],
    ['no span', { traceId: 'a'.repeat(32) }],
  ])('returns %s costs the exemplars only', async (_, trace) => {
    const { management, scrape } = await startService({ metrics: { exemplar: () => trace as never, runtime: false } })
    management.meters.counter('placed').increment()
    const page = await scrape('application/openmetrics-text;version=1.0.0')
    expect(page).toMatch(/^placed_total 1(\.0)?$/m)
    expect(page.endsWith('# EOF\n')).toBe(true)
  })
})

describe('a meter whose function', () => {
  it.each(faultyCallbacks)('%s does not affect other meters of a scrape or an OTLP export', async (_, callback) => {
    const { escaped } = collectUncaughtErrors()
    const { management, get, scrape, reports } = await startService({ metrics: { runtime: false } })
    const receiver = await startReceiver()
    onTestFinished(receiver.dispose)
    const telemetry = await startTelemetry({ management, url: receiver.url, report: () => {} })
    onTestFinished(() => telemetry.shutdown().then(() => {}))
    const { meters } = management
    meters.gauge('bad.gauge', callback)
    meters.gauge('bad.held', {}, { callback }, ({ callback }) => callback())
    meters.functionCounter('bad.counter', callback)
    meters.functionTimer('bad.timer', callback)
    meters.functionTimer('bad.members', () => {
      const value: never = callback()
      return { count: value, total: value }
    })
    meters.multiGauge('bad.rows').register([{ tags: { row: 1 }, value: callback }])
    meters.counter('good').increment()

    for (let times = 0; times < 2; times++) {
      const page = await scrape()
      expect(page).toMatch(/^good_total 1$/m)
      expect(page).toMatch(/^bad_gauge NaN$/m)
      expect(page).toMatch(/^bad_timer_seconds_sum 0$/m)
      expect(page).not.toMatch(/ (null|undefined|\[object)/)
    }
    expect((await get('/management/metrics/bad.gauge')).status).toBe(200)
    await telemetry.flush()
    await receiver.arrived(1)
    expect(receiver.exports.flatMap(({ metrics }) => metrics.map(({ name }) => name))).toContain('good')
    expect(await escaped()).toEqual([])
    const names = ['bad.counter', 'bad.gauge', 'bad.held', 'bad.members', 'bad.rows', 'bad.timer']
    expect(reports().sort()).toEqual(
      names.map((name) => expect.stringContaining(`The meter '${name}' could not be read`)),
    )
  })

  it('returns { count: 0, total: null } keeps the previous values', async () => {
    const { management, scrape } = await startService({ metrics: { runtime: false } })
    management.meters.functionTimer('odd', () => ({ count: 0, total: null }) as never)
    expect(await scrape()).toMatch(/^odd_seconds_sum 0$/m)
  })
})

describe('a source of meters whose', () => {
  it.each(
    (['names', 'slices', 'refresh'] as const).flatMap((member) =>
      faultyCallbacks
        .filter(([title]) => member !== 'refresh' || /throws|rejects/.test(title))
        .map(([title, callback]) => [member, title, callback] as const),
    ),
  )('%s %s leaves the other meters', async (member, _title, callback) => {
    const { escaped } = collectUncaughtErrors()
    const nothing = { names: () => ['theirs'], snapshot: () => [], slices: () => [] }
    const sources = [{ ...nothing, [member]: callback }]
    const { management, scrape, reports } = await startService({ metrics: { runtime: false, sources } })
    management.meters.counter('good').increment()
    for (let times = 0; times < 2; times++) expect(await scrape()).toMatch(/^good_total 1$/m)
    expect(await escaped()).toEqual([])
    expect(reports().length).toBeLessThanOrEqual(1)
  })
})

it('diagnose of createMeterRegistry that rejects or throws does not fail the code that records', async () => {
  const { createMeterRegistry } = await import('upkeep/metrics')
  const { escaped } = collectUncaughtErrors()
  for (const [, diagnose] of faultyCallbacksAndNull) {
    const registry = createMeterRegistry({ diagnose, maximumSeriesPerMeter: 1 })
    for (const id of [1, 2, 3]) registry.counter('orders', { id }).increment()
    expect([...registry.snapshot('orders')]).toHaveLength(2)
  }
  expect(await escaped()).toEqual([])
})
