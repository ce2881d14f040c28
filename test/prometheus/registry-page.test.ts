import type { Clock } from 'upkeep'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { openMetricsTextWithCreated, prometheusText } from '../../src/prometheus/exposition/text-format.ts'
import { metricDetail } from '../../src/prometheus/metric-detail.ts'
import { finish } from '../support/run-to-completion.ts'
import { render } from './render.ts'

const clock: Clock = { wallTime: () => 1_700_000_000_500, monotonicTime: () => 1_000 }
const sampled = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }

/** A registry with a meter of every kind. */
function createRegistry() {
  const registry = createMeterRegistry({ clock, exemplar: () => sampled })
  registry.counter('orders.placed', { region: 'eu' }, { description: 'Orders placed' }).increment(3)
  registry.functionCounter('orders.seen', () => 7)
  registry.gauge('queue.size', { queue: 'mail' }, () => 2.5)
  registry.gauge('application.info', { version: '1.4.2' }, () => 1)
  const timer = registry.timer('http.server.requests', { uri: '/orders' }, { slo: [0.1, 1] })
  timer.record(0.05)
  timer.record(3)
  registry.summary('payload', {}, { baseUnit: 'bytes' }).record(100)
  registry.functionTimer('cache.gets', () => ({ count: 4, total: 2 }))
  registry.longTaskTimer('jobs').start()
  return registry
}

describe('a page of a registry', () => {
  it('has every kind of meter in the text format', async () => {
    expect(await render(createRegistry(), prometheusText, { clock })).toBe(
      `# HELP application_info application.info
# TYPE application_info gauge
application_info{version="1.4.2"} 1
# HELP cache_gets_seconds cache.gets
# TYPE cache_gets_seconds summary
cache_gets_seconds_sum 2
cache_gets_seconds_count 4
# HELP http_server_requests_seconds http.server.requests
# TYPE http_server_requests_seconds histogram
http_server_requests_seconds_bucket{uri="/orders",le="0.1"} 1
http_server_requests_seconds_bucket{uri="/orders",le="1.0"} 1
http_server_requests_seconds_bucket{uri="/orders",le="+Inf"} 2
http_server_requests_seconds_sum{uri="/orders"} 3.05
http_server_requests_seconds_count{uri="/orders"} 2
# HELP http_server_requests_seconds_max http.server.requests
# TYPE http_server_requests_seconds_max gauge
http_server_requests_seconds_max{uri="/orders"} 3
# HELP jobs_seconds jobs
# TYPE jobs_seconds summary
jobs_seconds_count 1
jobs_seconds_sum 0
# HELP jobs_seconds_max jobs
# TYPE jobs_seconds_max gauge
jobs_seconds_max 0
# HELP orders_placed_total Orders placed
# TYPE orders_placed_total counter
orders_placed_total{region="eu"} 3
# HELP orders_seen_total orders.seen
# TYPE orders_seen_total counter
orders_seen_total 7
# HELP payload_bytes payload
# TYPE payload_bytes summary
payload_bytes_sum 100
payload_bytes_count 1
# HELP payload_bytes_max payload
# TYPE payload_bytes_max gauge
payload_bytes_max 100
# HELP queue_size queue.size
# TYPE queue_size gauge
queue_size{queue="mail"} 2.5
`,
    )
  })

  it('has exemplars and creation times in OpenMetrics', async () => {
    const page = await render(createRegistry(), openMetricsTextWithCreated, { clock })
    const exemplar = (value: number) =>
      `# {trace_id="${sampled.traceId}",span_id="${sampled.spanId}"} ${value} 1700000000.5\n`
    expect(page).toContain(
      `orders_placed_total{region="eu"} 3 ${exemplar(3)}orders_placed_created{region="eu"} 1700000000.5\n`,
    )
    expect(page).toContain(`http_server_requests_seconds_bucket{uri="/orders",le="+Inf"} 2 ${exemplar(3)}`)
    expect(page.endsWith('\n# EOF\n')).toBe(true)
  })

  it('has the current values at each scrape', async () => {
    const registry = createRegistry()
    const selected = { clock, names: new Set(['orders_placed']) }
    const before = await render(registry, prometheusText, selected)
    registry.counter('orders.placed', { region: 'eu' }).increment()
    const added = registry.counter('orders.placed', { region: '' })
    expect(await render(registry, prometheusText, selected)).toBe(
      `${before.replace('} 3', '} 4')}orders_placed_total 0\n`,
    )
    registry.remove(added)
    expect(await render(registry, prometheusText, selected)).toBe(before.replace('} 3', '} 4'))
  })

  it('separates meters of one name with different units', async () => {
    const registry = createMeterRegistry({ clock })
    registry.counter('read', { from: 'disk' }, { baseUnit: 'bytes' }).increment(5)
    registry.functionCounter('read', { from: 'table' }, () => 6, { baseUnit: 'rows' })
    const page = await render(registry, prometheusText, { clock })
    expect(page.match(/^read.*/gm)).toEqual(['read_bytes_total{from="disk"} 5', 'read_rows_total{from="table"} 6'])
  })

  it('never merges two series, for any tags', async () => {
    const registry = createMeterRegistry({ clock })
    const values = ['', 'a', 'a.b', 'a_b', '\ud800', '\ufffd', '"', '\n', 1, true]
    for (const key of ['k', 'k.k', 'k_k', '__proto__']) {
      for (const value of values) registry.counter('orders', { [key]: value }).increment()
    }
    const reported: string[] = []
    const page = await render(registry, prometheusText, {
      clock,
      onConflict: ({ exported }) => reported.push(exported),
    })
    const lines = page.split('\n').filter((line) => line.startsWith('orders_total'))
    expect(new Set(lines).size).toBe(lines.length)
    expect(lines.length + reported.length).toBe([...registry.snapshot('orders')].length)
  })
})

describe('the metric endpoints', () => {
  it('read a registry', () => {
    const registry = createRegistry()
    expect(registry.names()).toContain('http.server.requests')
    expect(finish(metricDetail('http.server.requests', registry.snapshot('http.server.requests')))).toEqual({
      name: 'http.server.requests',
      description: 'http.server.requests',
      baseUnit: 'seconds',
      measurements: [
        { statistic: 'COUNT', value: 2 },
        { statistic: 'TOTAL_TIME', value: 3.05 },
        { statistic: 'MAX', value: 3 },
      ],
      availableTags: [{ tag: 'uri', values: ['/orders'] }],
    })
  })
})
