import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unpackPackage } from '../support/package/packed.ts'
import type { TestServer } from '../support/server-process.ts'
import { queryPrometheus, startPrometheus } from '../support/start-prometheus.ts'
import { builtProgram } from './programs.ts'
import { type Collector, startCollector } from './start-collector.ts'
import { type OrdersProcess, placeOrders, startOrders } from './start-orders.ts'

type Labels = Readonly<Record<string, string>>
const page = '/management/prometheus'
const patiently = { timeout: 180_000, interval: 100 }

const packed = unpackPackage()
afterAll(packed.remove)

function startPrometheus3(jobs: Parameters<typeof startPrometheus>[0]): Promise<TestServer> {
  return startPrometheus(jobs, {
    command: builtProgram('UPKEEP_PROMETHEUS'),
    features: ['exemplar-storage', 'created-timestamp-zero-ingestion'],
    args: ['--web.enable-otlp-receiver'],
  })
}

async function query(prometheus: TestServer, text: string): Promise<Map<string, number>> {
  type Found = { readonly result: readonly { readonly metric: Labels; readonly value: readonly [number, string] }[] }
  const { result } = await queryPrometheus<Found>(prometheus, 'query', { query: text })
  return new Map(result.map(({ metric, value: [, value] }) => [nameOf(metric), Number(value)]))
}

function nameOf({ __name__, job: _job, instance: _instance, ...labels }: Labels): string {
  const tags = Object.entries(labels).map(([key, value]) => `${key}=${value}`)
  return [__name__, ...tags.toSorted()].join(' ')
}

describe('Prometheus 3, scraping', () => {
  let collector: Collector
  let orders: OrdersProcess
  let prometheus: TestServer
  beforeAll(async () => {
    collector = await startCollector(builtProgram('UPKEEP_COLLECTOR'))
    orders = await startOrders(packed, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    prometheus = await startPrometheus3({ orders: { port: orders.port, path: page } })
    await placeOrders(orders, 20)
  })
  afterAll(async () => {
    await prometheus?.dispose()
    await orders?.stop()
    await collector?.dispose()
  })

  it('stores the counters, timers and gauges of the service', async () => {
    const stored = () =>
      query(prometheus, '{__name__=~"orders_placed_total|orders_wait_seconds_(count|sum)|queue_depth"}')
    const region = 'region=eu "1"\\'
    await expect.poll(stored, patiently).toEqual(
      new Map([
        ['orders_placed_total result=late', 6],
        ['orders_placed_total result=success', 14],
        [`orders_wait_seconds_count ${region}`, 20],
        [`orders_wait_seconds_sum ${region}`, 10],
        ['queue_depth', 17.5],
      ]),
    )
    expect(await query(prometheus, 'up')).toEqual(new Map([['up', 1]]))
  })

  it('stores the requests by route and status', async () => {
    const by = 'sum by (uri, status) (http_server_requests_seconds_count{uri="/orders/:id"})'
    const expected = new Map([
      [' status=200 uri=/orders/:id', 19],
      [' status=500 uri=/orders/:id', 1],
    ])
    await expect.poll(() => query(prometheus, by), patiently).toEqual(expected)
  })

  it('stores exemplars that link to traces in the Collector', async () => {
    const exemplars = async () => {
      const [start, end] = [Date.now() / 1_000 - 600, Date.now() / 1_000 + 600].map(String)
      type Found = readonly { readonly exemplars: readonly { readonly labels: Labels }[] }[]
      const found = await queryPrometheus<Found>(prometheus, 'query_exemplars', {
        query: 'orders_placed_total',
        start: start ?? '',
        end: end ?? '',
      })
      return found.flatMap((series) =>
        series.exemplars.map(({ labels }) => `${labels['trace_id']} ${labels['span_id']}`),
      )
    }
    await expect.poll(async () => (await exemplars()).length, patiently).toBeGreaterThan(0)
    const ids = async () => (await collector.spans()).map(({ traceId, spanId }) => `${traceId} ${spanId}`)
    await expect.poll(ids, patiently).toEqual(expect.arrayContaining([...(await exemplars())]))
  })

  it('accepts the page with promtool', async () => {
    const text = await (await fetch(orders.url + page, { headers: { accept: 'text/plain;version=0.0.4' } })).text()
    const options = { input: text, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync(builtProgram('UPKEEP_PROMTOOL'), ['check', 'metrics'], options)
    const known = [
      'process_cpu_time_ns_total metric names should not contain abbreviated units\n',
      'system_cpu_count non-histogram and non-summary metrics should not have "_count" suffix\n',
    ].join('')
    // 3: it parses, and there are remarks.
    expect({ status, output: stdout + stderr }).toEqual({ status: 3, output: known })
  })
})

describe('Prometheus 3, receiving OTLP', () => {
  let orders: OrdersProcess
  let prometheus: TestServer
  beforeAll(async () => {
    prometheus = await startPrometheus3({})
    orders = await startOrders(packed, {
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${prometheus.url}/api/v1/otlp/v1/metrics`,
      OTEL_TRACES_EXPORTER: 'none',
    })
    await placeOrders(orders, 20)
    expect(await orders.stop()).toBe(0)
  })
  afterAll(async () => {
    await orders?.kill()
    await prometheus?.dispose()
  })

  it('stores the same counters, by the same names', async () => {
    const stored = () => query(prometheus, '{__name__=~"orders_placed_total|orders_wait_seconds_count"}')
    await expect.poll(stored, patiently).toEqual(
      new Map([
        ['orders_placed_total result=late', 6],
        ['orders_placed_total result=success', 14],
        ['orders_wait_seconds_count region=eu "1"\\', 20],
      ]),
    )
  })
})
