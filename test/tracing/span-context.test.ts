import { describe, expect, it } from 'vitest'
import { isValidSpanContext, toSpanContext } from '../../src/tracing/spans/span-context.ts'
import { parseTime, secondsBetween } from '../../src/tracing/spans/span-times.ts'

const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
const stateOf = (tracestate: string) => toSpanContext({ ...ids, flags: 1, tracestate }, false).traceState

describe('a span context', () => {
  it('has no trace state where the trace has none', () => {
    expect(toSpanContext({ ...ids, flags: 3 }, true)).toStrictEqual({ ...ids, traceFlags: 3, isRemote: true })
  })

  it.each([
    [ids.traceId, ids.spanId, true],
    [ids.traceId.toUpperCase(), ids.spanId.toUpperCase(), true],
    ['0'.repeat(32), ids.spanId, false],
    [ids.traceId, '0'.repeat(16), false],
    [`${ids.traceId}a`, ids.spanId, false],
    [ids.traceId, `${ids.spanId}b`, false],
    [ids.traceId.replace(/.$/, 'g'), ids.spanId, false],
  ])('with the ids %s and %s is valid: %s', (traceId, spanId, isValid) => {
    expect(isValidSpanContext({ traceId, spanId, traceFlags: 0 })).toBe(isValid)
  })
})

describe('the trace state of a span context', () => {
  it('is read by key', () => {
    const state = stateOf('a=1,b=2')
    expect([state?.get('a'), state?.get('b'), state?.get('c')]).toEqual(['1', '2', undefined])
    expect(state?.serialize()).toBe('a=1,b=2')
  })

  it('has what was set last first, once, and is not changed itself', () => {
    const state = stateOf('a=1,b=2')
    expect(state?.set('b', '3').serialize()).toBe('b=3,a=1')
    expect(state?.set('c', '3').serialize()).toBe('c=3,a=1,b=2')
    expect(state?.unset('a').serialize()).toBe('b=2')
    expect(state?.serialize()).toBe('a=1,b=2')
  })

  it('loses the oldest member beyond 32', () => {
    const members = Array.from({ length: 32 }, (_, n) => `k${n}=1`)
    expect(stateOf(members.join(','))?.set('new', '1').serialize()).toBe(['new=1', ...members.slice(0, 31)].join(','))
  })

  it('is empty if the field was invalid, or an invalid member was set', () => {
    expect(stateOf('no member')?.serialize()).toBe('')
    expect(stateOf('a=1')?.set('B', '1').serialize()).toBe('')
  })
})

describe('a time', () => {
  const source = { now: () => 1_000, wallTimeAt: (monotonicTime: number) => 1_700_000_000_000 + monotonicTime }

  it.each([
    ['seconds and nanoseconds', [5, 6], [5, 6]],
    ['a date', new Date(1_234), [1, 234_000_000]],
    ['milliseconds since 1970', 1_700_000_000_500, [1_700_000_000, 500_000_000]],
    ['a time of performance.now()', 250.5, [1_700_000_000, 250_500_000]],
    ['the present time of performance.now()', 1_000, [1_700_000_001, 0]],
    ['seconds that are no number', [Number.NaN, 6], undefined],
    ['nanoseconds that are no number', [5, '6'], undefined],
    ['an invalid date', new Date(Number.NaN), undefined],
    ['no finite number', Number.POSITIVE_INFINITY, undefined],
    ['text', '5', undefined],
  ])('may be %s', (_, given, time) => {
    expect(parseTime(given, source)).toEqual(time)
  })

  it.each([
    [
      [1, 500],
      [3, 700],
      [2, 200],
    ],
    [
      [1, 500],
      [3, 500],
      [2, 0],
    ],
    [
      [1, 500],
      [3, 400],
      [1, 999_999_900],
    ],
    [
      [3, 0],
      [1, 0],
      [-2, 0],
    ],
  ] as const)('from %j to %j takes %j', (from, to, duration) => {
    expect(secondsBetween([...from], [...to])).toEqual(duration)
  })
})
