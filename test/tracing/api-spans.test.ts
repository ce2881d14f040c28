import { describe, expect, it } from 'vitest'
import { rootContext } from '../../src/tracing/context/context.ts'
import { createNativeTracing, type NativeTracingOptions } from '../../src/tracing/create-tracing.ts'
import { suppressTracingKey } from '../../src/tracing/open-telemetry.ts'
import { bridged } from '../../src/tracing/spans/bridged-span.ts'
import type { NativeSpanView } from '../../src/tracing/spans/native-span-view.ts'
import type { EndedSpan } from '../../src/tracing/spans/span-recorder.ts'

const scope = { name: 'application' }
const seconds = 1_700_000_000

/** Returns a tracing at the beginning of its clock, which `to` sets, and the spans that have ended. */
function setUp(options: Partial<NativeTracingOptions> = {}) {
  let now = 0
  const clock = { monotonicTime: () => now, wallTime: () => seconds * 1_000 + now }
  const ended: EndedSpan[] = []
  const recorder = { processor: { onEnd: (span: EndedSpan) => void ended.push(span) }, resource: {} }
  const tracing = createNativeTracing({ recorder, clock, ...options })
  const start = (given = {}, context = rootContext) =>
    tracing.startApiSpan(scope, 'work', given, context) as NativeSpanView
  const to = (milliseconds: number) => {
    now = milliseconds
  }
  return { tracing, ended, start, to }
}

describe("the times of a span of OpenTelemetry's API", () => {
  it.each([
    ['those of its clock, if none is given', undefined, undefined, [seconds, 0], [seconds + 2, 0], [2, 0]],
    ['a given start', [seconds - 3, 0], undefined, [seconds - 3, 0], [seconds + 2, 0], [5, 0]],
    ['a given end', undefined, [seconds + 7, 5], [seconds, 0], [seconds + 7, 5], [7, 5]],
    ['both', [seconds + 1, 7], [seconds + 4, 9], [seconds + 1, 7], [seconds + 4, 9], [3, 2]],
    [
      'the start, if the end is earlier',
      [seconds + 4, 0],
      [seconds + 1, 0],
      [seconds + 4, 0],
      [seconds + 4, 0],
      [0, 0],
    ],
  ])('are %s', (_, givenStart, givenEnd, startTime, endTime, duration) => {
    const { ended, start, to } = setUp()
    const span = start({ startTime: givenStart })
    to(2_000)
    span.end(givenEnd)
    expect(ended).toMatchObject([{ startTime, endTime, duration }])
  })

  it('are final once it has ended', () => {
    const { ended, start } = setUp()
    const span = start()
    span.end([seconds + 1, 0])
    span.end([seconds + 9, 0])
    span.end()
    expect(ended).toMatchObject([{ endTime: [seconds + 1, 0], duration: [1, 0] }])
  })
})

describe("a span of OpenTelemetry's API", () => {
  it('has the scope of its tracer, and the kind, the attributes and the links that it is started with', () => {
    const { ended, start } = setUp()
    const context = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16), traceFlags: 1 }
    start({ kind: 2, attributes: { a: 1, bad: {} }, links: [{ context }, null, {}] }).end()
    start({ kind: 'client' }).end()
    expect(ended).toMatchObject([
      { instrumentationScope: scope, kind: 2, attributes: { a: 1 }, links: [{ context }] },
      { instrumentationScope: scope, kind: 0, attributes: {}, links: [] },
    ])
    expect(ended[0]?.attributes).toStrictEqual({ a: 1 })
  })

  it('has no event for an exception that is absent', () => {
    const { ended, start } = setUp()
    const span = start()
    span.recordException(undefined)
    span.recordException(null)
    span.recordException('failed')
    span.end()
    expect(ended[0]?.events.map(({ attributes }) => attributes['exception.message'])).toEqual(['failed'])
  })

  it('that is the root of a trace that is not sampled is not marked as sampled', () => {
    const { ended, start } = setUp({ probability: 0 })
    const span = start()
    expect([span.isRecording(), span.spanContext().traceFlags]).toEqual([false, 2])
    span.end()
    expect(ended).toEqual([])
  })

  it('has no valid ids while tracing is suppressed', () => {
    const span = setUp().start({}, rootContext.setValue(suppressTracingKey, true))
    expect(span.spanContext()).toMatchObject({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 })
  })

  it('gets an attribute as the span of upkeep does, whatever it was before', () => {
    const { tracing, ended } = setUp()
    const [one, other] = [1, 2].map(() => bridged(tracing.startSpan('work', { attributes: { a: 1 } })))
    for (const span of [one, other]) span?.setAttributes({ a: undefined })
    one?.setAttributes({ b: 2 })
    other?.openTelemetry.setAttribute('b', 2)
    for (const span of [one, other]) span?.end()
    expect(ended[1]?.attributes).toEqual(ended[0]?.attributes)
  })
})

describe('where callers do not decide', () => {
  const caller = { traceId: `${'a'.repeat(24)}00000000`, spanId: 'b'.repeat(16), flags: 0 }

  it('a span is in the trace of its caller, and has the decision in its flags', () => {
    const { tracing } = setUp({ followsCaller: false, probability: 0.5 })
    const span = tracing.startSpan('work', { parent: caller })
    expect(span.context).toMatchObject({ traceId: caller.traceId, flags: 1 })
  })

  it('a span is in the trace of the span around it', () => {
    const { tracing, start, ended } = setUp({ followsCaller: false })
    const outer = tracing.startSpan('outer')
    tracing.run(outer, () => {
      tracing.startSpan('inner').end()
      const active = tracing.storage.getStore() as typeof rootContext
      start({}, active).end()
    })
    const { traceId, spanId } = outer.context
    expect(ended.map((span) => span.parentSpanContext)).toMatchObject([
      { traceId, spanId },
      { traceId, spanId },
    ])
  })
})
