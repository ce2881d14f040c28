import { createMeterRegistry } from 'upkeep/metrics'
import { expect, it } from 'vitest'
import { snapshotOf } from './reading-snapshots.ts'

it('records count, total, maximum and mean in its base unit', () => {
  const registry = createMeterRegistry()
  const summary = registry.summary('payload', {}, { baseUnit: 'bytes', description: 'Bodies' })
  for (const amount of [100, 300, 0]) summary.record(amount)
  expect(summary).toMatchObject({ count: 3, total: 400, max: 300, mean: 400 / 3 })
  expect(snapshotOf(registry, 'summary', 'payload')).toMatchObject({
    count: 3,
    total: 400,
    max: 300,
    id: { baseUnit: 'bytes', description: 'Bodies' },
  })
})

it('multiplies amounts by its scale first', () => {
  const registry = createMeterRegistry()
  const summary = registry.summary('ratio', {}, { scale: 100, slo: [50] })
  summary.record(0.25)
  summary.record(0.75)
  summary.record(-0.5)
  expect(summary).toMatchObject({ count: 2, total: 100, max: 75, mean: 50 })
  expect(snapshotOf(registry, 'summary', 'ratio').buckets).toEqual({ bounds: [50], counts: [1, 1] })
  expect(registry.summary('ratio')).toBe(summary)
  expect(registry.remove(summary)).toBe(true)
  expect(registry.names()).toEqual(['upkeep.meters.dropped'])
})

it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('drops %s and counts it as dropped', (amount) => {
  const registry = createMeterRegistry()
  const summary = registry.summary('payload')
  summary.record(amount)
  expect(summary.count).toBe(0)
  expect(snapshotOf(registry, 'counter', 'upkeep.meters.dropped').value).toBe(1)
})

it.each([undefined, 1, 100])('drops a string with the scale %s, such as an unparsed header', (scale) => {
  const registry = createMeterRegistry()
  const summary = registry.summary('payload', {}, { scale })
  for (const length of ['512', '64']) summary.record(length as unknown as number)
  expect(summary).toMatchObject({ count: 0, total: 0, max: 0 })
  expect(snapshotOf(registry, 'counter', 'upkeep.meters.dropped').value).toBe(2)
})

it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('rejects the scale %s', (scale) => {
  expect(() => createMeterRegistry().summary('payload', {}, { scale })).toThrow(RangeError)
})

it('is found by tag values like other meters', () => {
  const registry = createMeterRegistry()
  const payloads = registry.summaries('payload', ['peer'])
  payloads.with('a').record(3)
  expect(registry.summary('payload', { peer: 'a' }).total).toBe(3)
})

it('refuses an unknown option, and says what it is called', () => {
  const options = { baseUnit: 'bytes', factor: 2 }
  expect(() => createMeterRegistry().summary('payload', {}, options)).toThrow(
    new TypeError('meter \'payload\': unknown option "factor"; did you mean "scale"?'),
  )
})
