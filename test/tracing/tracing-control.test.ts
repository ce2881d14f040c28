import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HeldRequests } from '../../src/tracing/held/held-requests.ts'
import { keepingRule } from '../../src/tracing/held/keeping-rule.ts'
import { createOpenTelemetrySampler, HeadSampler } from '../../src/tracing/trace-sampler.ts'
import { TracingControl } from '../../src/tracing/tracing-control.ts'

const clock = { monotonicTime: () => 0, wallTime: () => 1_000 }
const keeping = keepingRule(true)

function setUp() {
  const held = new HeldRequests(() => ({ dropped() {}, exported() {}, close() {} }))
  return new TracingControl(new HeadSampler(0.25, undefined), held)
}

describe('a change of the rules of tracing', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('applies for its time, and then the configured rules again', () => {
    const control = setUp()
    const configured = { probability: 0.25, keeping: undefined }
    expect([control.configured, control.current]).toEqual([configured, configured])
    control.change({ probability: 1, keeping }, 500, clock)
    expect(control.current).toEqual({ probability: 1, keeping })
    expect(control.configured).toEqual(configured)
    expect(control.revertsAt).toBe(1_500)
    vi.advanceTimersByTime(499)
    expect(control.current).toEqual({ probability: 1, keeping })
    vi.advanceTimersByTime(1)
    expect(control.current).toEqual(configured)
    expect(control.revertsAt).toBeUndefined()
  })

  it('takes the place of an earlier one, whose time no longer counts', () => {
    const control = setUp()
    control.change({ probability: 1, keeping }, 500, clock)
    vi.advanceTimersByTime(400)
    control.change({ probability: 0.5, keeping: undefined }, 500, clock)
    vi.advanceTimersByTime(400)
    expect(control.current).toEqual({ probability: 0.5, keeping: undefined })
    control.revert()
    expect(vi.getTimerCount()).toBe(0)
    expect(control.current).toEqual(control.configured)
  })

  it('is one of the probability alone where upkeep does not record the spans', () => {
    const control = new TracingControl(new HeadSampler(undefined, undefined), undefined)
    control.change({ probability: 0.5, keeping }, 500, clock)
    expect(control.current).toEqual({ probability: 0.5, keeping: undefined })
    control.revert()
    expect(control.current).toEqual({ probability: undefined, keeping: undefined })
  })
})

const traceId = (end: string) => `${'a'.repeat(24)}${end}`
const caller = (end: string, flags: number) => ({ traceId: traceId(end), spanId: 'b'.repeat(16), flags })

describe('the decision about a trace', () => {
  /** Random bytes of which each word is the same share of the largest. */
  const constant = (byte: number) => ({ fill: (bytes: Uint8Array) => void bytes.fill(byte) })

  it.each([
    [undefined, 0xff, true],
    [1, 0xff, true],
    [2, 0xff, true],
    [0.75, 0x80, true],
    [0.75, 0xff, false],
    [0.5, 0x7f, true],
    [0.5, 0x80, false],
    [0, 0, false],
    [-1, 0, false],
  ])('with probability %s and random bytes %d is %s', (probability, byte, isSampled) => {
    expect(new HeadSampler(probability, constant(byte)).isSampled(undefined)).toBe(isSampled)
  })

  it.each([
    [0, 1, true],
    [1, 0, false],
    [0.5, 3, true],
    [0.5, 2, false],
    [undefined, 0, true],
  ])('with probability %s follows a caller with flags %d: %s', (probability, flags, isSampled) => {
    const sampler = new HeadSampler(probability, undefined)
    const parent = caller('00000000', flags)
    expect(sampler.isSampled(parent)).toBe(isSampled)
    expect(sampler.decide(parent, isSampled)).toBe(parent)
  })

  it.each([
    ['7fffffff', 0, true],
    ['80000000', 1, false],
  ])('is made from the trace id ending with %s where callers do not decide', (end, flags, isSampled) => {
    const sampler = new HeadSampler(0.5, undefined, false)
    const parent = caller(end, flags)
    expect(sampler.isSampled(parent)).toBe(isSampled)
    expect(sampler.decide(parent, isSampled)).toEqual({ ...parent, flags: isSampled ? 1 : 0 })
    expect(sampler.decide(undefined, isSampled)).toBeUndefined()
  })
})

describe("a sampler of OpenTelemetry's", () => {
  const contextOf = (span: unknown) => ({ getValue: () => span }) as never
  const spanOf = (id: string, traceFlags: number) => ({ spanContext: () => ({ traceId: id, traceFlags }) })
  const decide = (probability: number, span: unknown, id: string) =>
    createOpenTelemetrySampler(probability).shouldSample(contextOf(span), id).decision

  it.each([
    ['a root below the bound', 0.5, undefined, '7fffffff', 2],
    ['a root at the bound', 0.5, undefined, '80000000', 0],
    ['every root', 2, undefined, 'ffffffff', 2],
    ['no root', -1, undefined, '00000000', 0],
    ['a child of a sampled span', 0, spanOf(traceId('ffffffff'), 3), 'ffffffff', 2],
    ['a child of a span that is not sampled', 1, spanOf(traceId('ffffffff'), 2), 'ffffffff', 0],
    ['a root beside a span of another trace', 1, spanOf(traceId('00000000'), 0), 'ffffffff', 2],
  ])('decides about %s', (_, probability, span, end, decision) => {
    expect(decide(probability, span, traceId(end))).toBe(decision)
  })

  it('has a name', () => {
    expect(createOpenTelemetrySampler(0.5).toString()).toBe('Upkeep{0.5}')
  })
})
