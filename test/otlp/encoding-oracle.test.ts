import { getProtoRoot } from '@elastic/mockotlpserver/lib/proto.js'
import { type SpanContext, SpanKind } from '@opentelemetry/api'
import { ProtobufMetricsSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import fc from 'fast-check'
import { createMeterRegistry, type MeterRegistry } from 'upkeep/metrics'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createSpanEncoder } from '../../src/otlp/encoding/encode-spans.ts'
import { jsonEncoding } from '../../src/otlp/encoding/json-encoding.ts'
import type { Encoding } from '../../src/otlp/encoding/message-writer.ts'
import { protobufEncoding } from '../../src/otlp/encoding/protobuf-encoding.ts'
import { MetricsMessage } from '../../src/otlp/metrics/metrics-message.ts'
import { cumulative } from '../../src/otlp/metrics/temporality.ts'
import { createMetricProducer } from '../../src/otlp/official/metric-producer.ts'
import { createNativeTracing } from '../../src/tracing/create-tracing.ts'
import type { EndedSpan } from '../../src/tracing/spans/span-recorder.ts'
import { createManualClock } from '../support/manual-clock.ts'

const attributes = { 'service.name': 'orders', 'service.replicas': 3, 'service.canary': true, 'service.share': 0.25 }
const resource = resourceFromAttributes(attributes)

const service = 'opentelemetry.proto.collector'
const traceRequest = getProtoRoot().lookupType(`${service}.trace.v1.ExportTraceServiceRequest`)
const metricsRequest = getProtoRoot().lookupType(`${service}.metrics.v1.ExportMetricsServiceRequest`)

/** A message as an independent implementation decodes it: `protobufjs` with OTLP's own `.proto` files. */
function decoded(type: typeof traceRequest, bytes: Uint8Array): unknown {
  const plain = type.toObject(type.decode(bytes), { longs: String, bytes: String, defaults: true })
  // upkeep omits the negative buckets of exponential histograms, which are always empty.
  return JSON.parse(JSON.stringify(plain), (key, value) => (key === 'negative' ? undefined : value))
}

/** Reads JSON as the specification defines it: like the JSON of Protocol Buffers, but with ids in hexadecimal. */
function decodedJson(type: typeof traceRequest, bytes: Uint8Array): unknown {
  const document = JSON.parse(new TextDecoder().decode(bytes), (key, value) =>
    /Id$/.test(key) && typeof value === 'string' ? Buffer.from(value, 'hex').toString('base64') : value,
  )
  return decoded(type, type.encode(type.fromObject(document)).finish())
}

function encodedMetrics(encoding: Encoding, meters: MeterRegistry, now: number): Uint8Array {
  const message = new MetricsMessage(encoding.createWriter(), attributes, cumulative(), now)
  for (const slice of meters.slices()) message.add(slice)
  return Buffer.concat(message.take()?.body ?? [])
}

interface DecodedMetrics {
  readonly resourceMetrics: readonly {
    readonly resource: object
    readonly scopeMetrics: readonly { readonly scope: object; readonly metrics: readonly { readonly name: string }[] }[]
  }[]
}

/** Metrics by name: their order is not significant. */
function sorted(request: unknown): unknown {
  const { resourceMetrics } = request as DecodedMetrics
  return resourceMetrics.map(({ scopeMetrics, ...rest }) => ({
    ...rest,
    scopeMetrics: scopeMetrics.map(({ metrics, ...scope }) => ({
      ...scope,
      metrics: [...metrics].sort((one, other) => (one.name < other.name ? -1 : 1)),
    })),
  }))
}

const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.constantFrom('', 'region', 'é', '🌍', '"\\\n'))
const amounts = fc.array(fc.oneof(fc.double({ min: 0, max: 1e9, noNaN: true }), fc.nat()), { maxLength: 20 })

interface Series {
  readonly kind: 'counter' | 'gauge' | 'timer' | 'summary' | 'exponential' | 'functionTimer' | 'longTaskTimer'
  readonly name: string
  readonly tags: Readonly<Record<string, string>>
  readonly values: readonly number[]
}

const series: fc.Arbitrary<Series> = fc.record({
  kind: fc.constantFrom('counter', 'gauge', 'timer', 'summary', 'exponential', 'functionTimer', 'longTaskTimer'),
  name: fc.constantFrom('a', 'b.c', 'requests', 'größe'),
  tags: fc.dictionary(
    text.filter((key) => key !== '' && key !== '__proto__' && key !== '0'),
    text,
    { maxKeys: 4 },
  ),
  values: amounts,
})

function fill(meters: MeterRegistry, { kind, name, tags, values }: Series, at: number): void {
  // One name has one kind, and no series is there twice.
  const own = `${kind}.${name}`
  const all = { ...tags, at: `${at}` }
  switch (kind) {
    case 'counter':
      for (const value of values) meters.counter(own, all, { baseUnit: 'orders' }).increment(value)
      break
    case 'gauge':
      meters.gauge(own, all, () => values[0] ?? Number.NaN)
      break
    case 'timer':
      for (const value of values) meters.timer(own, all, { slo: [1, 100, 1e6], percentiles: [0.5, 0.9] }).record(value)
      break
    case 'summary':
      for (const value of values) meters.summary(own, all, { baseUnit: 'bytes' }).record(value)
      break
    case 'exponential':
      for (const value of values) meters.timer(own, all, { exponential: true }).record(value)
      break
    case 'functionTimer':
      meters.functionTimer(own, all, () => ({ count: values.length, total: values.length * 2 }))
      break
    case 'longTaskTimer':
      for (const _ of values) meters.longTaskTimer(own, all).start()
  }
}

describe.each([
  ['Protocol Buffers', protobufEncoding, decoded],
  ['JSON', jsonEncoding, decodedJson],
] as const)('in %s, the exporter of upkeep sends what the official serializer sends', (_, encoding, decode) => {
  it('of any meters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(series, { maxLength: 12 }), async (all) => {
        const clock = createManualClock()
        clock.advance(1_500)
        const meters = createMeterRegistry({ clock })
        for (const [at, one] of all.entries()) fill(meters, one, at)
        clock.advance(60_000)
        const { resourceMetrics } = await createMetricProducer(meters, { clock }).collect()
        const sent: ResourceMetrics = { ...resourceMetrics, resource }
        const own = encodedMetrics(encoding, meters, clock.wallTime() / 1_000)
        meters.close()
        if (sent.scopeMetrics.length === 0) {
          expect(own).toHaveLength(0)
          return
        }
        const official = ProtobufMetricsSerializer.serializeRequest(sent) as Uint8Array
        expect(sorted(decode(metricsRequest, own))).toEqual(sorted(decoded(metricsRequest, official)))
      }),
      { numRuns: 100 },
    )
  })

  it('of spans with everything that a span can have', async () => {
    const spans = createSpans()
    const own = Buffer.concat([...(await createSpanEncoder(encoding, attributes)(spans, systemClock))])
    const official = ProtobufTraceSerializer.serializeRequest(spans as unknown as ReadableSpan[]) as Uint8Array
    expect(decode(traceRequest, own)).toEqual(decoded(traceRequest, official))
  })
})

it.each([
  ['ASCII', 'a'],
  ['other characters', 'é'],
])('sends attributes of any length, of %s', async (_, character) => {
  const lengths = [0, 1, 90, ...Array.from({ length: 50 }, (_, at) => 95 + at), 16_383]
  const given = Object.fromEntries(lengths.map((length) => [`length ${length}`, 'a'.repeat(length) + character]))
  const spans = createSpans(given)
  const own = Buffer.concat([...(await createSpanEncoder(protobufEncoding, attributes)(spans, systemClock))])
  const official = ProtobufTraceSerializer.serializeRequest(spans as unknown as ReadableSpan[]) as Uint8Array
  expect(decoded(traceRequest, own)).toEqual(decoded(traceRequest, official))
})

it('sends attributes that are numbers', async () => {
  const numbers = [0, -0, 1, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 53 - 1, -1, -128, 0.5, 200.5, 1e300]
  const keys = [...numbers.map((number) => `number ${number}`), 'größe', 'k'.repeat(120), 'k'.repeat(121)]
  const spans = createSpans(Object.fromEntries(keys.map((key, at) => [key, numbers[at] ?? 200])))
  const own = Buffer.concat([...(await createSpanEncoder(protobufEncoding, attributes)(spans, systemClock))])
  const official = ProtobufTraceSerializer.serializeRequest(spans as unknown as ReadableSpan[]) as Uint8Array
  expect(decoded(traceRequest, own)).toEqual(decoded(traceRequest, official))
})

/** Differences that are wanted; everything else is equal. */
describe('the exporter of upkeep, other than the official one,', () => {
  it('sends exemplars', () => {
    const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
    const meters = createMeterRegistry({ clock: createManualClock(), exemplar: () => trace })
    onTestFinished(() => meters.close())
    meters.counter('orders').increment(2)
    meters.timer('wait', {}, { slo: [1] }).record(0.5)
    meters.timer('exact', {}, { exponential: true }).record(0.25)
    const found = JSON.stringify(decoded(metricsRequest, encodedMetrics(protobufEncoding, meters, 60)))
    const exemplar = (value: number) => ({
      filteredAttributes: [],
      timeUnixNano: '0',
      spanId: Buffer.from(trace.spanId, 'hex').toString('base64'),
      traceId: Buffer.from(trace.traceId, 'hex').toString('base64'),
      asDouble: value,
    })
    for (const value of [2, 0.5, 0.25]) expect(found).toContain(`"exemplars":${JSON.stringify([exemplar(value)])}`)
  })

  it('omits ids of exemplars that no trace can have', () => {
    const meters = createMeterRegistry({
      clock: createManualClock(),
      exemplar: () => ({ traceId: 'order 17', spanId: '' }),
    })
    onTestFinished(() => meters.close())
    meters.counter('orders').increment(2)
    const found = JSON.stringify(decoded(metricsRequest, encodedMetrics(protobufEncoding, meters, 60)))
    const exemplar = { filteredAttributes: [], timeUnixNano: '0', spanId: '', traceId: '', asDouble: 2 }
    expect(found).toContain(`"exemplars":${JSON.stringify([exemplar])}`)
  })

  it('sends integers beyond 2^53 as floating-point numbers', async () => {
    const bytes = await createSpanEncoder(protobufEncoding, {})(createSpans({ huge: 1e300 }), systemClock)
    const found = JSON.stringify(decoded(traceRequest, Buffer.concat([...bytes])))
    expect(found).toContain(JSON.stringify({ key: 'huge', value: { doubleValue: 1e300 } }))
  })
})

function createSpans(more: Readonly<Record<string, number | string>> = {}): readonly EndedSpan[] {
  const ended: EndedSpan[] = []
  const processor = { onEnd: (span: EndedSpan) => void ended.push(span) }
  const tracing = createNativeTracing({ recorder: { processor, resource } })
  const remote = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    flags: 3,
    tracestate: 'a=1,b=2',
  }
  const server = tracing.startSpan('GET /orders/:id', {
    kind: 'server',
    parent: remote,
    attributes: { text: 'é🌍', integer: -7, large: 2 ** 40, share: 0.5, flag: true, ...more },
    links: [remote],
  })
  const child = tracing.run(server, () => tracing.startSpan('query', { kind: 'client' }))
  child.fail(new Error('refused'))
  child.end()
  server.end()
  tracing.startSpan('', { kind: 'producer', parent: 'root' }).end()
  tracing.startSpan('work', { kind: 'consumer', parent: 'root' }).end()
  const spanContext: SpanContext | undefined = ended[0]?.spanContext()
  if (spanContext === undefined || ended[0]?.kind !== SpanKind.CLIENT) throw new Error('expected the client span first')
  return ended
}
