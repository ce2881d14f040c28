import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { writeValue } from '../../../src/otlp/encoding/encode-attributes.ts'
import { createSpanEncoder } from '../../../src/otlp/encoding/encode-spans.ts'
import { jsonEncoding } from '../../../src/otlp/encoding/json-encoding.ts'
import { protobufEncoding } from '../../../src/otlp/encoding/protobuf-encoding.ts'
import { MetricsMessage } from '../../../src/otlp/metrics/metrics-message.ts'
import { cumulative } from '../../../src/otlp/metrics/temporality.ts'
import type { EndedSpan } from '../../../src/tracing/spans/span-recorder.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const textOf = (pieces: readonly Uint8Array[] = []) => Buffer.concat([...pieces]).toString()

describe('the value of an attribute', () => {
  function encoded(value: unknown): unknown {
    const out = jsonEncoding.createWriter()
    writeValue(out, { number: 1, name: 'value' }, value)
    return JSON.parse(textOf(out.take())).value
  }

  it('has at most 16 levels of lists and objects; deeper ones are empty', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
    const read = (levels: number): unknown =>
      levels === 0 ? { intValue: '1' } : { arrayValue: { values: [read(levels - 1)] } }
    const cut = (levels: number): unknown => (levels === 0 ? {} : { arrayValue: { values: [cut(levels - 1)] } })
    expect(encoded(nested(16))).toEqual(read(16))
    expect(encoded(nested(17))).toEqual(cut(16))
    expect(encoded(nested(1_000))).toEqual(cut(16))
  })

  it.each([
    [new Date(0), { stringValue: '1970-01-01T00:00:00.000Z' }],
    [new Date(Number.NaN), { stringValue: 'Invalid Date' }],
    [2n ** 70n, { stringValue: '1180591620717411303424' }],
    [null, {}],
    [() => 1, {}],
    [{ a: undefined, b: false }, { kvlistValue: { values: [{ key: 'b', value: { boolValue: false } }] } }],
  ])('%s is encoded as %j', (value, expected) => {
    expect(encoded(value)).toEqual(expected)
  })
})

describe('a request without spans', () => {
  it.each([
    ['JSON', jsonEncoding, '{}'],
    ['Protocol Buffers', protobufEncoding, ''],
  ])('has no content in %s', async (_, encoding, content) => {
    expect(textOf(await createSpanEncoder(encoding, { 'service.name': 'orders' })([], systemClock))).toBe(content)
  })
})

describe('a span', () => {
  const span: EndedSpan = {
    ...{ name: 'work', kind: 0, parentSpanContext: undefined, ended: true, status: { code: 0 }, resource: {} },
    spanContext: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }),
    ...{ startTime: [1, 0], endTime: [2, 0], duration: [1, 0], attributes: {}, links: [], events: [] },
    ...{
      instrumentationScope: { name: 'lib' },
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    },
  }
  const encoded = async (changes: Partial<EndedSpan>) => {
    const request = textOf(await createSpanEncoder(jsonEncoding, {})([{ ...span, ...changes }], systemClock))
    return JSON.parse(request).resourceSpans[0].scopeSpans[0].spans[0]
  }

  it('has no counts of what was dropped, and no status, if there is none', async () => {
    expect(await encoded({})).toEqual({
      ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'work', kind: 1, flags: 0x101, status: {} },
      ...{ startTimeUnixNano: '1000000000', endTimeUnixNano: '2000000000' },
    })
  })

  it.each([
    ['0123456789ABCDEF', '12080123456789abcdef2a04'],
    ['0123z56789abcdef', '120201232a04'],
    ['no number at all', '12002a04'],
    ['f'.repeat(1_000), `1210${'f'.repeat(32)}2a04`],
  ])('with the id %j is sent with the bytes of it that are hexadecimal', async (spanId, field) => {
    const spanContext = () => ({ traceId: 'a'.repeat(32), spanId, traceFlags: 1 })
    const request = await createSpanEncoder(protobufEncoding, {})([{ ...span, spanContext }], systemClock)
    expect(Buffer.concat([...request]).toString('hex')).toContain(field)
  })

  it('has the counts of what was dropped, and its status', async () => {
    const changes = { droppedEventsCount: 1, droppedLinksCount: 2, status: { code: 2, message: 'refused' } }
    expect(await encoded(changes)).toMatchObject({
      ...{ droppedEventsCount: 1, droppedLinksCount: 2, status: { code: 2, message: 'refused' } },
    })
  })
})

it('an exemplar has the time at which it was recorded', () => {
  const clock = createManualClock()
  const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
  const meters = createMeterRegistry({ clock, exemplar: () => trace })
  onTestFinished(() => meters.close())
  const orders = meters.counter('orders')
  clock.advance(1_500)
  orders.increment(2)
  const message = new MetricsMessage(jsonEncoding.createWriter(), {}, cumulative(), 60)
  for (const slice of meters.slices()) message.add(slice)
  const { metrics } = JSON.parse(textOf(message.take()?.body)).resourceMetrics[0].scopeMetrics[0]
  expect(metrics[0].sum.dataPoints[0].exemplars).toEqual([{ ...trace, timeUnixNano: '1500000000', asDouble: 2 }])
})
