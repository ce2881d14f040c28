import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { manage } from 'upkeep/node'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listenOn } from '../../support/listen.ts'
import { decodeByProtoc, leavesOf, metricFamily, otlpRequests, splitDelimited } from './protoc.ts'
import { caller, officialLogs, recordExports } from './recorded-exports.ts'

/**
 * Returns the scalars of requests, sorted: the order of attributes and metrics is not significant. Times and random ids
 * are replaced by what they are, and the meters of the export itself are left out.
 */
function comparable(signal: string, bodies: readonly Uint8Array[], started: number): readonly string[] {
  const type = otlpRequests[signal]
  if (type === undefined || bodies.length === 0) throw new Error(`no request of ${signal}`)
  const ids = new Map<string, string>()
  const end = Date.now() + 1_000
  return bodies
    .flatMap((body) => leavesOf(decodeByProtoc(type, body)))
    .filter((leaf) => !leaf.includes('.metrics[otlp.'))
    .map((leaf) =>
      leaf
        .replace(/(?<=time_unix_nano: )\d+$/, (time) => {
          const milliseconds = Number(BigInt(time) / 1_000_000n)
          return milliseconds >= started - 1_000 && milliseconds <= end ? 'now' : time
        })
        .replace(/(?<=(?:trace|span)_id: )".*"$/, (id) => {
          ids.set(id, ids.get(id) ?? `id ${ids.size}`)
          return ids.get(id) ?? ''
        }),
    )
    .sort()
}

/** Returns the elements of a list that another does not have, each as often as it has more of them. */
function without(list: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other]
  return list.filter((each) => {
    const at = left.indexOf(each)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** What the SDK that sends something calls itself; each is the name of what has sent it. */
const sdkOf = (own: string) => (leaf: string) => leaf.startsWith(`${own}.resource.attributes[telemetry.sdk.`)

describe('protoc decodes without an unknown field, and equal field by field to the official exporter,', () => {
  const started = Date.now()
  let own: Awaited<ReturnType<typeof recordExports>>
  let official: ReadonlyMap<string, readonly Uint8Array[]>
  beforeAll(async () => {
    own = await recordExports('upkeep')
    official = new Map([...(await recordExports('opentelemetry')), ['logs', [officialLogs()]]])
  })

  function differences(signal: string, root: string) {
    const ours = comparable(signal, own.get(signal) ?? [], started)
    const theirs = comparable(signal, official.get(signal) ?? [], started)
    const isOfSdk = sdkOf(root)
    expect(without(ours, theirs).filter(isOfSdk)).toEqual([
      `${root}.resource.attributes[telemetry.sdk.name].value.string_value: "upkeep"`,
      expect.stringMatching(/\[telemetry\.sdk\.version\]\.value\.string_value: "\d+\.\d+\.\d+"$/),
    ])
    return {
      compared: ours.length,
      own: without(ours, theirs).filter((leaf) => !isOfSdk(leaf)),
      official: without(theirs, ours).filter((leaf) => !isOfSdk(leaf)),
    }
  }

  it('spans of every kind, with links, events, errors and attributes', () => {
    const found = differences('traces', 'resource_spans')
    expect(found).toEqual({ compared: expect.any(Number), own: [], official: [] })
    expect(found.compared).toBeGreaterThan(80)
  })

  it('meters of every kind, but for exemplars and empty buckets', () => {
    const found = differences('metrics', 'resource_metrics')
    // The official exporter sends none: its data points cannot have any.
    const fields = new Set(found.own.map((leaf) => leaf.replace(/.*\.exemplars(?:\[\d\])?\.(\w+): .*/, '$1')))
    expect([...fields].sort()).toEqual(['as_double', 'span_id', 'time_unix_nano', 'trace_id'])
    const exponential = 'resource_metrics.scope_metrics.metrics[orders.pack].exponential_histogram.data_points'
    // upkeep omits the buckets of negative measurements, of which there are none.
    expect(found.official).toEqual([`${exponential}.negative: {}`])
    expect(found.compared).toBeGreaterThan(200)
  })

  it('log records with trace context, errors and nested attributes', () => {
    const found = differences('logs', 'resource_logs')
    expect(found).toEqual({ compared: expect.any(Number), own: [], official: [] })
    expect(found.compared).toBeGreaterThan(40)
  })
})

describe('protoc decodes a page of Prometheus as MetricFamily', () => {
  it('with classic and native buckets, exemplars and the start of counts, without an unknown field', async () => {
    const management = createManagement({
      expose: ['prometheus'],
      metrics: { exemplar: () => caller, runtime: false },
    })
    onTestFinished(() => management.close())
    const { meters } = management
    meters.counter('orders.placed', { region: 'é "1"\\' }, { description: 'Orders' }).increment(7)
    meters.gauge('orders.queue', {}, () => 17.5)
    const timer = meters.timer('orders.wait', {}, { slo: [0.01, 1], exponential: { maximumScale: 3 } })
    for (const value of [0, 0.25, 0.5, 400]) timer.record(value)
    const server = createServer(manage(management))
    const port = await listenOn(server)
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    const accept = 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited'
    const response = await fetch(`http://127.0.0.1:${port}/management/prometheus`, { headers: { accept } })
    expect(response.headers.get('content-type')).toContain('application/vnd.google.protobuf')
    const families = splitDelimited(new Uint8Array(await response.arrayBuffer()))
    const leaves = families.flatMap((family) => {
      const fields = decodeByProtoc(metricFamily, family)
      const name = fields.find((field) => field.name === 'name')?.value
      return leavesOf(fields, String(name).slice(1, -1))
    })
    // Of a time, the nanoseconds are absent if they are 0.
    const isWhole = (leaf: string) => !/timestamp\.nanos: \d+$/.test(leaf)
    const [counter, gauge, histogram] = ['orders_placed_total', 'orders_queue', 'orders_wait_seconds'].map((family) =>
      leaves
        .filter((leaf) => leaf.startsWith(`${family}.`) && isWhole(leaf))
        .map((leaf) => leaf.slice(family.length + 1).replace(/(?<=timestamp\.seconds: )\d{10}$/, 'now')),
    )
    const exemplar = (path: string, value: number) => [
      `${path}.exemplar.label[trace_id].name: "trace_id"`,
      `${path}.exemplar.label[trace_id].value: "${caller.traceId}"`,
      `${path}.exemplar.label[span_id].name: "span_id"`,
      `${path}.exemplar.label[span_id].value: "${caller.spanId}"`,
      `${path}.exemplar.value: ${value}`,
      `${path}.exemplar.timestamp.seconds: now`,
    ]
    expect(counter).toEqual([
      ...['name: "orders_placed_total"', 'help: "Orders"', 'type: COUNTER'],
      'metric.label[region].name: "region"',
      'metric.label[region].value: "\\303\\251 \\"1\\"\\\\"',
      'metric.counter.value: 7',
      ...exemplar('metric.counter', 7),
      'metric.counter.created_timestamp.seconds: now',
    ])
    expect(gauge).toEqual(['name: "orders_queue"', 'help: "orders.queue"', 'type: GAUGE', 'metric.gauge.value: 17.5'])
    const bucket = (at: number, count: number, bound: string, value: number) => [
      `metric.histogram.bucket[${at}].cumulative_count: ${count}`,
      `metric.histogram.bucket[${at}].upper_bound: ${bound}`,
      ...exemplar(`metric.histogram.bucket[${at}]`, value),
    ]
    // 0.25, 0.5 and 400 are in the buckets -16, -8 and 70 of schema 3.
    const native = [
      ...['schema: 3', 'zero_count: 1', 'positive_span[0].offset: -16', 'positive_span[0].length: 1'],
      ...['positive_span[1].offset: 7', 'positive_span[1].length: 1', 'positive_span[2].offset: 77'],
      ...['positive_span[2].length: 1', 'positive_delta[0]: 1', 'positive_delta[1]: 0', 'positive_delta[2]: 0'],
    ]
    expect(histogram).toEqual([
      ...['name: "orders_wait_seconds"', 'help: "orders.wait"', 'type: HISTOGRAM'],
      ...['metric.histogram.sample_count: 4', 'metric.histogram.sample_sum: 400.75'],
      ...[...bucket(0, 1, '0.01', 0), ...bucket(1, 3, '1', 0.25), ...bucket(2, 4, 'inf', 400)],
      ...native.map((field) => `metric.histogram.${field}`),
      ...['metric.histogram.created_timestamp.seconds: now', 'unit: "seconds"'],
    ])
  })
})
