import { createMeterRegistry } from 'upkeep/metrics'
import { expect, it } from 'vitest'
import { cellsOf } from './cells-of-meters.ts'
import { createManualClock } from './manual-clock.ts'
import { snapshotOf } from './reading-snapshots.ts'

it('increments by one, or by an amount, fractions included', () => {
  const counter = createMeterRegistry().counter('orders.placed')
  counter.increment()
  counter.increment(2)
  counter.increment(0.25)
  counter.increment(0)
  expect(counter.value).toBe(3.25)
})

it('counts beyond the range of a small integer', () => {
  const counter = createMeterRegistry().counter('bytes')
  for (const amount of [2 ** 31, 2 ** 31, 2 ** 52]) counter.increment(amount)
  counter.increment()
  expect(counter.value).toBe(2 ** 32 + 2 ** 52 + 1)
})

it.each([-1, -0.001, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  'rejects an increment of %s, and keeps its value',
  (amount) => {
    const counter = createMeterRegistry().counter('orders.placed')
    counter.increment(5)
    expect(() => counter.increment(amount)).toThrow(RangeError)
    expect(() => counter.increment(amount)).toThrow(String(amount))
    expect(counter.value).toBe(5)
  },
)

it.each([['1'], [null], [{}], [1n]])('rejects an amount that is not a number: %s', (amount) => {
  const counter = createMeterRegistry().counter('orders.placed')
  expect(() => counter.increment(amount as unknown as number)).toThrow(TypeError)
  expect(counter.value).toBe(0)
})

it('has kind, start and value in a snapshot', () => {
  const clock = createManualClock()
  const registry = createMeterRegistry({ clock })
  clock.advance(1_500)
  const counter = registry.counter('bytes.sent', { peer: 'a' }, { description: 'What went out', baseUnit: 'bytes' })
  counter.increment(7)
  clock.advance(60_000)
  const snapshot = snapshotOf(registry, 'counter', 'bytes.sent')
  expect(snapshot).toMatchObject({ value: 7, created: Date.UTC(2026, 0, 1) / 1_000 + 1.5, exemplar: undefined })
  expect(snapshot.id).toBe(counter.id)
  expect(snapshot.id).toMatchObject({ name: 'bytes.sent', description: 'What went out', baseUnit: 'bytes' })
})

it('is independent of its snapshots', () => {
  const registry = createMeterRegistry()
  const counter = registry.counter('a')
  const before = snapshotOf(registry, 'counter', 'a')
  counter.increment()
  expect(before.value).toBe(0)
  Object.assign(before, { value: 99 })
  expect(counter.value).toBe(1)
})

it('is copied to a cell, and says whether the cell changed', () => {
  const registry = createMeterRegistry()
  const counter = registry.counter('a')
  const { copy } = cellsOf(registry, 'a', 1)
  counter.increment(7)
  expect([copy(), copy()]).toEqual([
    [true, [-1, 7, -1]],
    [false, [-1, 7, -1]],
  ])
})
