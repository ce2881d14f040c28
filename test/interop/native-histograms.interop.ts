import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createManagement } from 'upkeep'
import { manage } from 'upkeep/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../support/programs.ts'
import type { TestServer } from '../support/server-process.ts'
import { queryPrometheus, startPrometheus } from '../support/start-prometheus.ts'
import { builtProgram } from './programs.ts'

const page = '/management/prometheus'
const patiently = { timeout: 180_000, interval: 100 }
const started = Date.now() / 1_000

type Labels = Readonly<Record<string, string>>
type Sample = readonly [time: number, value: string]

/** A log-normal value, of a generator that gives the same ones in each run. */
function* durations(): Generator<number> {
  let state = 12_345
  const uniform = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state + 1) / (2 ** 32 + 1)
  }
  for (;;) yield 0.05 * Math.exp(0.8 * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()))
}

/** A service with timers of every kind, which logs what it records. */
async function startService() {
  const exemplar = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
  const management = createManagement({
    expose: ['prometheus'],
    metrics: { exemplar: () => exemplar, maximumSeriesPerMeter: 100_000 },
  })
  const { meters } = management
  const both = meters.timer('orders.wait', {}, { slo: [0.05, 0.5], exponential: { maximumScale: 3 } })
  const native = meters.timer('orders.pack', {}, { exponential: { maximumScale: 3 } })
  meters.timer('orders.never', {}, { exponential: { maximumScale: 3 } })
  meters.counter('orders.placed', { region: 'eu' }).increment(7)
  const log: number[] = []
  const values = durations()
  const record = (count: number) => {
    for (let index = 0; index < count; index++) {
      const seconds = values.next().value
      log.push(seconds)
      both.record(seconds)
      native.record(seconds)
    }
  }
  record(500)
  const server = createServer(manage(management)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
    management.close()
  }
  return { port, meters, record, log, close }
}

/** The measurement that this share of the others does not exceed. */
function quantileOf(log: readonly number[], quantile: number): number {
  const sorted = log.toSorted((one, other) => one - other)
  return sorted[Math.ceil(quantile * sorted.length) - 1] ?? Number.NaN
}

async function valuesOf(prometheus: TestServer, query: string): Promise<readonly number[]> {
  type Found = { readonly result: readonly { readonly metric: Labels; readonly value: Sample }[] }
  const { result } = await queryPrometheus<Found>(prometheus, 'query', { query })
  return result.map(({ value: [, value] }) => Number(value))
}

async function errorsOf(prometheus: TestServer): Promise<readonly string[]> {
  type Targets = { readonly activeTargets: readonly { readonly lastError: string; readonly health: string }[] }
  const { activeTargets } = await queryPrometheus<Targets>(prometheus, 'targets', {})
  return activeTargets.map(({ health, lastError }) => `${health} ${lastError}`.trim())
}

const versions = [
  {
    name: 'Prometheus 3',
    command: () => builtProgram('UPKEEP_PROMETHEUS'),
    features: ['exemplar-storage', 'created-timestamp-zero-ingestion'],
    settings: { scrape_native_histograms: true },
    empty: [0],
  },
  {
    name: 'Prometheus 2.42',
    command: () => findProgram('prometheus'),
    features: ['exemplar-storage', 'native-histograms'],
    settings: {},
    /** It reads them as classic histograms until the first measurement. */
    empty: [],
  },
]

describe.each(versions)('native histograms in $name', ({ command, features, settings, empty }) => {
  let service: Awaited<ReturnType<typeof startService>>
  let prometheus: TestServer
  beforeAll(async () => {
    service = await startService()
    const program = command()
    if (program === undefined) throw new Error('Prometheus is not installed: run bash .ci/servers.sh')
    // A scrape that takes long on a busy machine has not failed.
    const patience = { scrape_interval: '3s', scrape_timeout: '3s' }
    const jobs = { orders: { port: service.port, path: page, settings: { ...patience, ...settings } } }
    prometheus = await startPrometheus(jobs, { command: program, features })
  })
  afterAll(async () => {
    await prometheus?.dispose()
    service?.close()
  })

  it('are scraped without an error', async () => {
    await expect.poll(() => errorsOf(prometheus), patiently).toEqual(['up'])
    service.record(4_500)
  })

  it.each(['orders_wait_seconds', 'orders_pack_seconds'])(
    'have quantiles of %s within a twentieth of the truth',
    async (name) => {
      await expect.poll(() => valuesOf(prometheus, `histogram_count(${name})`), patiently).toEqual([service.log.length])
      for (const quantile of [0.5, 0.9, 0.95, 0.99]) {
        const [estimate = Number.NaN] = await valuesOf(prometheus, `histogram_quantile(${quantile}, ${name})`)
        const ratio = estimate / quantileOf(service.log, quantile)
        expect(ratio, `quantile ${quantile}`).toBeGreaterThan(0.95)
        expect(ratio, `quantile ${quantile}`).toBeLessThan(1.05)
      }
      const [sum = Number.NaN] = await valuesOf(prometheus, `histogram_sum(${name})`)
      expect(sum).toBeCloseTo(
        service.log.reduce((total, each) => total + each, 0),
        6,
      )
    },
  )

  it('exist before the first measurement', async () => {
    await expect.poll(() => valuesOf(prometheus, 'histogram_count(orders_never_seconds)'), patiently).toEqual(empty)
  })

  it('do not change the names of other meters, nor prevent any scrape', async () => {
    await expect.poll(() => valuesOf(prometheus, 'orders_placed_total{region="eu"}'), patiently).toEqual([7])
    expect(await valuesOf(prometheus, 'orders_wait_seconds_max')).toHaveLength(1)
    expect(await valuesOf(prometheus, 'min_over_time(up[5m])')).toEqual([1])
    expect(await errorsOf(prometheus)).toEqual(['up'])
  })
})

describe('protobuf in Prometheus 3', () => {
  let service: Awaited<ReturnType<typeof startService>>
  const { settings, features } = versions[0] ?? { settings: {}, features: [] }
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service?.close())

  async function start(jobSettings: Readonly<Record<string, string | boolean>>): Promise<TestServer> {
    const jobs = { orders: { port: service.port, path: page, settings: jobSettings } }
    return await startPrometheus(jobs, { command: builtProgram('UPKEEP_PROMETHEUS'), features })
  }

  it('has exemplars of counters, and of histograms with and without classic buckets', async () => {
    const prometheus = await start(settings)
    try {
      type Found = readonly { readonly exemplars: readonly { readonly labels: Labels }[] }[]
      const end = `${Date.now() / 1_000 + 600}`
      for (const query of ['orders_placed_total', 'orders_wait_seconds', 'orders_pack_seconds']) {
        const traces = async () => {
          const parameters = { query, start: `${started - 600}`, end }
          const found = await queryPrometheus<Found>(prometheus, 'query_exemplars', parameters)
          return [...new Set(found.flatMap((one) => one.exemplars.map(({ labels }) => labels['trace_id'])))]
        }
        await expect.poll(traces, patiently).toEqual(['4bf92f3577b34da6a3ce929d0e0e4736'])
      }
    } finally {
      await prometheus.dispose()
    }
  })

  it('has a zero at the start of a counter, so that its first value is an increase', async () => {
    const prometheus = await start(settings)
    try {
      await expect.poll(() => errorsOf(prometheus), patiently).toEqual(['up'])
      service.meters.counter('orders.late').increment(3)
      await expect.poll(() => valuesOf(prometheus, 'orders_late_total'), patiently).toEqual([3])
      const [first] = await valuesOf(prometheus, 'min_over_time(orders_late_total[5m])')
      expect(first).toBe(0)
    } finally {
      await prometheus.dispose()
    }
  })

  it('has both kinds of buckets with always_scrape_classic_histograms', async () => {
    const prometheus = await start({ ...settings, always_scrape_classic_histograms: true })
    try {
      const bounds = () => valuesOf(prometheus, 'count(orders_wait_seconds_bucket)')
      await expect.poll(bounds, patiently).toEqual([3])
      expect(await valuesOf(prometheus, 'histogram_count(orders_wait_seconds)')).toEqual([service.log.length])
    } finally {
      await prometheus.dispose()
    }
  })

  it('has classic buckets alone if native histograms are not wanted', async () => {
    const prometheus = await start({ scrape_native_histograms: false })
    try {
      const count = () => valuesOf(prometheus, 'orders_wait_seconds_bucket{le="+Inf"}')
      await expect.poll(count, patiently).toEqual([service.log.length])
      expect(await valuesOf(prometheus, 'orders_wait_seconds_count')).toEqual([service.log.length])
    } finally {
      await prometheus.dispose()
    }
  })

  it('has every series of a family that is sent as several messages', async () => {
    const counters = service.meters.counters('orders.many', ['id'])
    for (let id = 0; id < 30_000; id++) counters.with(`${id}`).increment()
    const prometheus = await start({ ...settings, scrape_interval: '2s', scrape_timeout: '2s' })
    try {
      await expect.poll(() => valuesOf(prometheus, 'count(orders_many_total)'), patiently).toEqual([30_000])
      expect(await errorsOf(prometheus)).toEqual(['up'])
    } finally {
      await prometheus.dispose()
    }
  })
})

describe('the names in Prometheus 3', () => {
  it.each(['allow-utf-8', 'underscores', 'dots', 'values'])(
    'are scraped with the escaping scheme %s',
    async (scheme) => {
      const service = await startService()
      const path = page
      const { port } = service
      const escaping = { metric_name_escaping_scheme: scheme }
      const prometheus = await startPrometheus(
        {
          text: { port, path, settings: { ...escaping, scrape_protocols: '[PrometheusText1.0.0]' } },
          openmetrics: { port, path, settings: { ...escaping, scrape_protocols: '[OpenMetricsText1.0.0]' } },
          protobuf: { port, path, settings: { ...escaping, scrape_protocols: '[PrometheusProto]' } },
        },
        { command: builtProgram('UPKEEP_PROMETHEUS') },
      )
      try {
        await expect.poll(() => errorsOf(prometheus), patiently).toEqual(['up', 'up', 'up'])
        expect(await valuesOf(prometheus, 'orders_placed_total')).toEqual([7, 7, 7])
      } finally {
        await prometheus.dispose()
        service.close()
      }
    },
  )
})
