import { describe, expect, it } from 'vitest'
import { rootContext } from '../../src/tracing/context/context.ts'
import { type OpenTelemetrySpan, spanKey, spanKinds } from '../../src/tracing/open-telemetry.ts'
import { adoptServerSpan, SdkSpan } from '../../src/tracing/spans/sdk-span.ts'
import { addSpanSink, type EndedSpan, SpanRecorder } from '../../src/tracing/spans/span-recorder.ts'

const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }

/** Returns a span as an SDK has it, and what is called of it. */
function setUp({ isRecording = true, isRemote = false, kind = spanKinds.server as number | null } = {}) {
  const calls: unknown[][] = []
  const call =
    (name: string) =>
    (...args: unknown[]) =>
      void calls.push([name, ...args])
  const theirs = {
    spanContext: () => ({ ...ids, traceFlags: 1, isRemote }),
    isRecording: () => isRecording,
    ...(kind !== null && { kind }),
    ...{ setAttribute: call('setAttribute'), setAttributes: call('setAttributes'), setStatus: call('setStatus') },
    ...{ updateName: call('updateName'), recordException: call('recordException'), end: call('end') },
  } satisfies OpenTelemetrySpan & { kind?: number }
  return { theirs, calls }
}

describe('a span of an SDK that fails', () => {
  it('without an error has a status alone', () => {
    const { theirs, calls } = setUp()
    new SdkSpan(theirs, 0).fail(undefined)
    expect(calls).toEqual([['setStatus', { code: 2 }]])
  })

  it('has the type, the code and the message of the error, without credentials', () => {
    const { theirs, calls } = setUp()
    const error = Object.assign(new RangeError('no postgres://app:secret@db'), { code: 'ECONNREFUSED' })
    new SdkSpan(theirs, 0).fail(error)
    const message = expect.stringMatching(/^no postgres:(?!.*secret)/)
    const stack = expect.stringMatching(/^RangeError: no postgres:(?!.*secret)/)
    expect(calls).toEqual([
      ['recordException', { name: 'RangeError', code: 'ECONNREFUSED', message, stack }],
      ['setStatus', { code: 2, message }],
    ])
  })

  it('has no code where the error has none', () => {
    const { theirs, calls } = setUp()
    new SdkSpan(theirs, 0).fail(new Error('no'))
    expect(calls[0]?.[1]).toMatchObject({ name: 'Error', code: undefined, message: 'no' })
  })

  it('has what was thrown as its message if that is no error', () => {
    const { theirs, calls } = setUp()
    new SdkSpan(theirs, 0).fail('failed')
    const { theirs: others, calls: otherCalls } = setUp()
    new SdkSpan(others, 0).fail({ code: 7, toString: () => 'seven' })
    new SdkSpan(others, 0).fail(null)
    expect([...calls, ...otherCalls]).toEqual([
      ['recordException', 'failed'],
      ['setStatus', { code: 2, message: 'failed' }],
      ['recordException', 'seven'],
      ['setStatus', { code: 2, message: 'seven' }],
      ['recordException', 'null'],
      ['setStatus', { code: 2, message: 'null' }],
    ])
  })
})

describe('a span of an SDK', () => {
  it('never throws, whatever the SDK does', () => {
    const fail = () => expect.fail('called')
    const { theirs } = setUp()
    const methods = { setAttributes: fail, updateName: fail, setStatus: fail, recordException: fail, end: fail }
    const span = new SdkSpan({ ...theirs, ...methods }, 0)
    expect(() => {
      span.setAttributes({ a: 1 })
      span.rename('other')
      span.fail(new Error('no'))
      span.fail(undefined)
      span.end()
    }).not.toThrow()
  })

  it.each([
    [0, 1],
    [1, 1],
    [2, 3],
    [3, 3],
  ])('below a parent with flags %d has flags %d: only the random flag is inherited', (parentFlags, flags) => {
    expect(new SdkSpan(setUp().theirs, parentFlags).context).toStrictEqual({ ...ids, flags })
  })

  it('has the trace state that is not empty', () => {
    const { theirs } = setUp()
    const stateOf = (text: string) => ({ serialize: () => text }) as never
    const withState = (text: string) => ({
      ...theirs,
      spanContext: () => ({ ...theirs.spanContext(), traceState: stateOf(text) }),
    })
    expect(new SdkSpan(withState('a=1'), 0).context).toStrictEqual({ ...ids, flags: 1, tracestate: 'a=1' })
    expect(new SdkSpan(withState(''), 0).context).toStrictEqual({ ...ids, flags: 1 })
  })
})

const metadataKey = Symbol.for('OpenTelemetry SDK Context Key RPC_METADATA')
const contextWith = (span: OpenTelemetrySpan) => rootContext.setValue(spanKey, span)

describe('the span that another instrumentation has started for a request', () => {
  it.each([
    ['a server span', {}, true],
    ['a client span', { kind: spanKinds.client }, false],
    ['a span that is not recorded, whose kind is unknown', { kind: null, isRecording: false }, true],
    ['that of a caller', { kind: null, isRecording: false, isRemote: true }, false],
    ['a recorded span of an unknown kind', { kind: null }, false],
  ])('may be %s: %s is %s', (_, options, isAdopted) => {
    expect(adoptServerSpan(contextWith(setUp(options).theirs)) !== undefined).toBe(isAdopted)
  })

  it('is absent without a context, or without a span in it', () => {
    expect(adoptServerSpan(undefined)).toBeUndefined()
    expect(adoptServerSpan(rootContext)).toBeUndefined()
    expect(adoptServerSpan(rootContext.setValue(metadataKey, {}))).toBeUndefined()
  })

  it('is that of its metadata, which gets the route, before the active one', () => {
    const { theirs, calls } = setUp({ kind: spanKinds.client })
    const metadata: { span: OpenTelemetrySpan; route?: string } = { span: theirs }
    const adopted = adoptServerSpan(contextWith(setUp().theirs).setValue(metadataKey, metadata))
    adopted?.setAttributes({ 'url.path': '/orders/7' })
    expect(metadata).not.toHaveProperty('route')
    adopted?.setAttributes({ 'url.path': '/orders/7', 'http.route': '/orders/:id' })
    expect(metadata.route).toBe('/orders/:id')
    expect(calls).toEqual([
      ['setAttributes', {}],
      ['setAttributes', { 'http.route': '/orders/:id' }],
    ])
  })

  it('is renamed and fails while it is recorded, and is never ended', () => {
    const { theirs, calls } = setUp()
    const adopted = adoptServerSpan(contextWith(theirs))
    adopted?.rename('GET /a')
    adopted?.fail(undefined)
    adopted?.end()
    expect(calls).toEqual([
      ['updateName', 'GET /a'],
      ['setStatus', { code: 2 }],
    ])
  })

  it('is left alone after its end', () => {
    const { theirs, calls } = setUp({ isRecording: false })
    const metadata: { span: OpenTelemetrySpan; route?: string } = { span: theirs }
    const adopted = adoptServerSpan(rootContext.setValue(metadataKey, metadata))
    adopted?.rename('GET /a')
    adopted?.setAttributes({ 'http.route': '/a' })
    adopted?.fail(new Error('no'))
    expect(calls).toEqual([])
    expect(metadata).not.toHaveProperty('route')
  })
})

describe('what receives the spans that upkeep records', () => {
  const clock = { monotonicTime: () => 0, wallTime: () => 0 }
  const recorder = new SpanRecorder({ processor: { onEnd() {} }, resource: {} }, {} as never, clock)
  const span = {} as EndedSpan

  it('gets those that end until it is removed, beside others', () => {
    const [first, second]: [EndedSpan[], EndedSpan[]] = [[], []]
    recorder.onEnd(span)
    const removeFirst = addSpanSink((each) => first.push(each))
    const removeSecond = addSpanSink((each) => second.push(each))
    recorder.onEnd(span)
    removeFirst()
    removeFirst()
    recorder.onEnd(span)
    removeSecond()
    removeFirst()
    recorder.onEnd(span)
    expect([first, second]).toEqual([[span], [span, span]])
  })

  it('is asked once for each scope', () => {
    const scope = { name: 'orders' }
    expect(recorder.in(scope)).toBe(recorder.in(scope))
    expect(recorder.in(scope).scope).toBe(scope)
    expect(recorder.in({ name: 'orders' })).not.toBe(recorder.in(scope))
  })
})
