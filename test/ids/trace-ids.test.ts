import { createTraceIds, formatTraceparent, parseTraceparent, randomFlag } from 'upkeep/ids'
import { expect, it } from 'vitest'
import { fixedRandom } from '../support/fixed-random.ts'

it('formats random words as hexadecimal digits', () => {
  const ids = createTraceIds({
    random: fixedRandom([0x4bf92f35, 0x77b34da6, 0xa3ce929d, 0x0e0e4736, 0x00f067aa, 0x0ba902b7]),
  })
  expect(ids.traceId()).toBe('4bf92f3577b34da6a3ce929d0e0e4736')
  expect(ids.spanId()).toBe('00f067aa0ba902b7')
})

it('never creates an id of zeros only', () => {
  const ids = createTraceIds({ random: fixedRandom([]) })
  expect(ids.traceId()).toBe('00000000000000000000000000000001')
  expect(ids.spanId()).toBe('0000000000000001')
})

it('keeps zeros that are not alone', () => {
  const ids = createTraceIds({ random: fixedRandom([1, 0, 0, 0, 0, 1, 1, 0]) })
  expect(ids.traceId()).toBe('00000001000000000000000000000000')
  expect([ids.spanId(), ids.spanId()]).toStrictEqual(['0000000000000001', '0000000100000000'])
})

it('creates ids that are valid in a traceparent, none of them twice', () => {
  const ids = createTraceIds()
  const all = Array.from({ length: 50_000 }, () => ({
    traceId: ids.traceId(),
    spanId: ids.spanId(),
    flags: randomFlag,
  }))
  for (const context of all.slice(0, 1_000)) {
    expect(parseTraceparent(formatTraceparent(context))).toStrictEqual(context)
  }
  expect(new Set(all.map(({ traceId }) => traceId)).size).toBe(50_000)
  expect(new Set(all.map(({ spanId }) => spanId)).size).toBe(50_000)
})
