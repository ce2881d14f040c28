import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unpackPackage } from '../../support/package/packed.ts'
import type { TestServer } from '../../support/server-process.ts'
import { queryPrometheus } from '../../support/start-prometheus.ts'
import { builtProgram } from '../programs.ts'
import { type Collector, startCollector } from '../start-collector.ts'
import { type OrdersProcess, startOrders } from '../start-orders.ts'
import { startShippedCollector, startShippedPrometheus } from './start-shipped.ts'

const packed = unpackPackage()
afterAll(packed.remove)

const patiently = { timeout: 180_000, interval: 200 }
const startShop = (variables: NodeJS.ProcessEnv) => startOrders(packed, variables, 'deploy/shop-service.mjs')

type Labels = Readonly<Record<string, string>>
interface Found {
  readonly result: readonly { readonly metric: Labels; readonly value?: readonly [number, string] }[]
}

async function query(prometheus: TestServer, text: string): Promise<readonly number[]> {
  const { result } = await queryPrometheus<Found>(prometheus, 'query', { query: text })
  return result.map(({ value }) => Number(value?.[1])).toSorted((a, b) => a - b)
}

async function request({ url }: OrdersProcess, path: string, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await (await fetch(url + path)).arrayBuffer()
}

describe('the shipped configuration of Prometheus', () => {
  const instances: OrdersProcess[] = []
  let prometheus: TestServer
  beforeAll(async () => {
    const off = { OTEL_SDK_DISABLED: 'true' }
    instances.push(await startShop(off), await startShop(off))
    prometheus = await startShippedPrometheus(instances.map(({ port }) => `127.0.0.1:${port}`))
    for (const instance of instances) await request(instance, '/buy', 30)
  })
  afterAll(async () => {
    await prometheus?.dispose()
    for (const { kill } of instances) await kill()
  })

  it('finds the instances in a file, and adds them up', async () => {
    await expect.poll(() => query(prometheus, 'up{service="shop"}'), patiently).toEqual([1, 1])
    await expect.poll(() => query(prometheus, 'sum by (service) (shop_orders_total)'), patiently).toEqual([60])
  })

  it('stores timers as native histograms', async () => {
    await expect.poll(() => query(prometheus, 'sum(histogram_count(shop_checkout_seconds))'), patiently).toEqual([60])
    const [median] = await query(prometheus, 'histogram_quantile(0.5, sum(shop_checkout_seconds))')
    expect(median).toBeCloseTo(0.2, 2)
    expect(await query(prometheus, 'shop_checkout_seconds_bucket')).toEqual([])
  })

  it('receives OTLP, under the names of a scrape', async () => {
    const endpoint = `${prometheus.url}/api/v1/otlp/v1/metrics`
    const shop = await startShop({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' })
    await request(shop, '/buy', 7)
    expect(await shop.stop()).toBe(0)
    await expect.poll(() => query(prometheus, 'shop_orders_total{job="shop"}'), patiently).toEqual([7])
    const promoted = 'shop_orders_total{service_name="shop", service_version="2.0.0"}'
    expect(await query(prometheus, promoted)).toEqual([7])
    expect(await query(prometheus, 'histogram_count(shop_checkout_seconds{job="shop"})')).toEqual([7])
  })
})

describe('the shipped configuration of the Collector', () => {
  const succeeded = 200
  let traces: Collector
  let prometheus: TestServer
  let collector: TestServer
  let shop: OrdersProcess
  beforeAll(async () => {
    traces = await startCollector(builtProgram('UPKEEP_COLLECTOR'), { signals: ['traces'] })
    prometheus = await startShippedPrometheus([])
    collector = await startShippedCollector({
      TRACES_ENDPOINT: traces.url,
      METRICS_ENDPOINT: `${prometheus.url}/api/v1/otlp`,
      SAMPLED_PERCENT: '10',
      SLOW_MILLISECONDS: '300',
      DECISION_WAIT: '1s',
      SPAN_METRICS_INTERVAL: '1s',
    })
    shop = await startShop({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    await request(shop, '/buy', succeeded)
    await request(shop, '/fail', 5)
    await request(shop, '/slow', 3)
    expect(await shop.stop()).toBe(0)
  }, 600_000)
  afterAll(async () => {
    await shop?.kill()
    for (const each of [collector, prometheus, traces]) await each?.dispose()
  })

  const kept = async (path: string) =>
    (await traces.spans()).filter(({ kind, attributes }) => kind === 2 && attributes['url.path'] === path)

  it('keeps all failed and all slow traces', async () => {
    await expect.poll(async () => (await kept('/fail')).length, patiently).toBe(5)
    await expect.poll(async () => (await kept('/slow')).length, patiently).toBe(3)
  })

  it('keeps a part of the others', async () => {
    await expect.poll(async () => (await kept('/buy')).length, patiently).toBeGreaterThan(0)
    // 10 % of 200: 50 has a probability of 10^-9.
    expect((await kept('/buy')).length).toBeLessThan(50)
  })

  it('counts and times all of them', async () => {
    const calls = (route: string) =>
      `traces_span_metrics_calls_total{span_kind="SPAN_KIND_SERVER", http_route="${route}"}`
    await expect.poll(() => query(prometheus, calls('/buy')), patiently).toEqual([succeeded])
    expect(await query(prometheus, `${calls('/fail').slice(0, -1)}, status_code="STATUS_CODE_ERROR"}`)).toEqual([5])
    const slow = 'traces_span_metrics_duration_seconds{http_route="/slow"}'
    expect(await query(prometheus, `histogram_count(${slow})`)).toEqual([3])
    const [average = 0] = await query(prometheus, `histogram_avg(${slow})`)
    expect(average).toBeGreaterThanOrEqual(0.39)
  })

  it('passes the metrics of the service on', async () => {
    await expect.poll(() => query(prometheus, 'shop_orders_total'), patiently).toEqual([succeeded + 8])
  })
})
