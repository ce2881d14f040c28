import { type Span as ApiSpan, context, SpanStatusCode, trace } from '@opentelemetry/api'
import { defaultResource } from '@opentelemetry/resources'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace'
import { TracerProvider } from '@opentelemetry/sdk-trace'
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest'
import { createContextManager } from '../../src/tracing/context/context-manager.ts'
import { createNativeTracing, type NativeTracingOptions } from '../../src/tracing/create-tracing.ts'
import type { EndedSpan } from '../../src/tracing/spans/span-recorder.ts'
import { createOpenTelemetrySampler } from '../../src/tracing/trace-sampler.ts'

context.setGlobalContextManager(createContextManager())

/** The type of an exporter's input is mutable, but exporters do not change it. */
type Mutable<T extends readonly unknown[]> = T[number][]

let now = 0
const clock = { monotonicTime: () => now, wallTime: () => 1_700_000_000_000 + now }
const ended: ReadableSpan[] = []
const processor: Pick<SpanProcessor, 'onEnd'> = { onEnd: (span) => void ended.push(span) }
const resource = defaultResource()

function setUp({ probability = 1, ...rest }: Partial<NativeTracingOptions> = {}) {
  const sdkProcessor = { ...processor, onStart() {}, forceFlush: async () => {}, shutdown: async () => {} }
  const provider = new TracerProvider({
    sampler: createOpenTelemetrySampler(probability),
    spanProcessors: [sdkProcessor],
  })
  const tracer = provider.getTracer('application')
  const tracing = createNativeTracing({ probability, recorder: { processor, resource }, clock, ...rest })
  return { tracer, tracing }
}

afterEach(() => {
  ended.length = 0
})

describe('a native span', () => {
  it('can be read by an exporter like a span of the SDK', () => {
    type Compared = 'name' | 'spanContext' | 'startTime' | 'endTime' | 'duration' | 'ended' | 'status' | 'attributes'
    expectTypeOf<Pick<EndedSpan, Compared>>().toExtend<Pick<ReadableSpan, Compared>>()
    expectTypeOf<Mutable<EndedSpan['links']>>().toExtend<ReadableSpan['links']>()
    expectTypeOf<Mutable<EndedSpan['events']>>().toExtend<ReadableSpan['events']>()
    const { tracing } = setUp()
    const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), flags: 1, tracestate: 'foo=1' }
    const link = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), flags: 0 }
    now = 1_250.5
    const attributes = { one: 1, none: undefined }
    const span = tracing.startSpan('work', { kind: 'producer', parent, attributes, links: [link] })
    now = 1_300.75
    span.rename('other work')
    span.setAttributes({ two: 'b' })
    span.setAttributes({ three: true })
    span.fail(new RangeError('too much'))
    now = 1_500
    span.end()
    const [read] = ended
    expect(read).toMatchObject({
      name: 'other work',
      kind: 3,
      startTime: [1_700_000_001, 250_500_000],
      endTime: [1_700_000_001, 500_000_000],
      duration: [0, 249_500_000],
      ended: true,
      status: { code: SpanStatusCode.ERROR, message: 'too much' },
      links: [{ context: { traceId: link.traceId, spanId: link.spanId, traceFlags: 0, isRemote: true } }],
      events: [
        {
          name: 'exception',
          time: [1_700_000_001, 300_750_000],
          attributes: { 'exception.type': 'RangeError', 'exception.message': 'too much' },
        },
      ],
      parentSpanContext: { traceId: parent.traceId, spanId: parent.spanId, traceFlags: 1, isRemote: true },
      instrumentationScope: { name: 'upkeep' },
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    })
    expect(read?.attributes).toStrictEqual({ one: 1, two: 'b', three: true })
    expect(read?.resource).toBe(resource)
    expect(read?.spanContext()).toMatchObject({ traceId: parent.traceId, spanId: span.context.spanId, traceFlags: 1 })
    expect(read?.spanContext().traceState?.serialize()).toBe('foo=1')
  })

  it('ends once, and ignores changes after its end', () => {
    const { tracing } = setUp()
    const span = tracing.startSpan('work')
    span.end()
    span.end()
    span.rename('late')
    span.setAttributes({ late: true })
    span.fail(new Error('late'))
    expect(ended).toHaveLength(1)
    expect(ended[0]).toMatchObject({ name: 'work', attributes: {}, status: { code: 0 }, events: [] })
    expect(span.isRecording).toBe(false)
  })

  it('has at most 128 attributes, events and links, and counts dropped ones', () => {
    const { tracing } = setUp()
    const span = tracing.startSpan('work', {
      attributes: Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`key${n}`, n])),
    })
    tracing.run(span, () => {
      const active = trace.getActiveSpan()
      for (let n = 0; n < 131; n++) active?.addEvent('more').addLink({ context: active.spanContext() })
    })
    span.end()
    expect(ended[0]).toMatchObject({ droppedAttributesCount: 2, droppedEventsCount: 3, droppedLinksCount: 3 })
    expect(Object.keys(ended[0]?.attributes ?? {})).toHaveLength(128)
  })

  it("can be changed through OpenTelemetry's API", () => {
    const { tracing } = setUp()
    const span = tracing.startSpan('work')
    tracing.run(span, () => {
      const active = trace.getActiveSpan() as ApiSpan
      active.setAttribute('a', 1).setAttributes({ b: 2 }).updateName('renamed').addEvent('then', { c: 3 })
      active.addEvent('at', [5, 6])
      active.recordException(new TypeError('no'))
      active.setStatus({ code: SpanStatusCode.OK })
      active.setStatus({ code: SpanStatusCode.ERROR })
      expect(active.isRecording()).toBe(true)
      expect(active.spanContext()).toMatchObject({ traceId: span.context.traceId, spanId: span.context.spanId })
      active.end()
    })
    expect(ended).toMatchObject([
      {
        name: 'renamed',
        attributes: { a: 1, b: 2 },
        status: { code: SpanStatusCode.OK },
        events: [{ name: 'then', attributes: { c: 3 } }, { time: [5, 6] }, { name: 'exception' }],
      },
    ])
  })

  it('can be the parent and the child of spans of the SDK', async () => {
    const { tracer, tracing } = setUp()
    const outer = tracing.startSpan('outer')
    await tracing.run(outer, async () => {
      await null
      await tracer.startActiveSpan('middle', async (middle) => {
        await null
        const inner = tracing.startSpan('inner')
        tracing.run(inner, () => tracing.startSpan('innermost').end())
        inner.end()
        middle.end()
      })
    })
    outer.end()
    const tree = ended.map((span) => [
      span.name,
      ended.find((one) => one.spanContext().spanId === span.parentSpanContext?.spanId)?.name,
    ])
    expect(tree).toEqual([
      ['innermost', 'inner'],
      ['inner', 'middle'],
      ['middle', 'outer'],
      ['outer', undefined],
    ])
    expect(new Set(ended.map((span) => span.spanContext().traceId)).size).toBe(1)
  })

  it('is not recorded below a span that is not sampled, and neither is a span of the SDK', () => {
    const { tracer, tracing } = setUp({ probability: 0 })
    const span = tracing.startSpan('outer')
    tracing.run(span, () => {
      tracer.startSpan('of the SDK').end()
      tracing.startSpan('native').end()
      expect(trace.getActiveSpan()?.spanContext()).toMatchObject({ traceId: span.context.traceId, traceFlags: 2 })
    })
    span.end()
    expect(ended).toEqual([])
    expect(tracing.startSpan('called', { parent: { ...span.context, flags: 1 } }).isRecording).toBe(true)
  })

  it('ignores errors of the processor', () => {
    const { tracing } = setUp({
      recorder: {
        processor: {
          onEnd() {
            throw new Error('full')
          },
        },
        resource,
      },
    })
    expect(() => tracing.startSpan('work').end()).not.toThrow()
  })
})

describe('the sampling probability', () => {
  it('is the configured one, also for spans started through the OpenTelemetry API', () => {
    const { tracer, tracing } = setUp({ probability: 0.3 })
    const shareOf = (start: () => boolean) => Array.from({ length: 4_000 }, start).filter(Boolean).length / 4_000
    expect(shareOf(() => tracing.startSpan('a').isRecording)).toBeCloseTo(0.3, 1)
    expect(shareOf(() => tracer.startSpan('b').isRecording())).toBeCloseTo(0.3, 1)
  })
})
