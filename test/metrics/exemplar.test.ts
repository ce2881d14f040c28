import type { ExemplarSource } from 'upkeep/metrics'
import { createMeterRegistry } from 'upkeep/metrics'
import { expect, it, vi } from 'vitest'
import { storedMeter } from './cells-of-meters.ts'
import { createManualClock } from './manual-clock.ts'
import { snapshotOf } from './reading-snapshots.ts'

const start = Date.UTC(2026, 0, 1) / 1_000
const trace = (letter: string) => ({ traceId: letter.repeat(32), spanId: letter.repeat(16) })

function setUp() {
  const clock = createManualClock()
  const present: { trace: ReturnType<ExemplarSource> } = { trace: undefined }
  return { clock, present, registry: createMeterRegistry({ clock, exemplar: () => present.trace }) }
}

it('is the latest increment in a sampled trace', () => {
  const { clock, present, registry } = setUp()
  const counter = registry.counter('a')
  counter.increment()
  expect(snapshotOf(registry, 'counter', 'a').exemplar).toBeUndefined()
  present.trace = trace('a')
  counter.increment(5)
  clock.advance(1_000)
  present.trace = undefined
  counter.increment(7)
  expect(snapshotOf(registry, 'counter', 'a')).toMatchObject({
    value: 13,
    exemplar: { ...trace('a'), value: 5, timestamp: start },
  })
})

it('is stored for each bucket of a timer', () => {
  const { clock, present, registry } = setUp()
  const timer = registry.timer('work', {}, { slo: [1, 2] })
  present.trace = trace('a')
  timer.record(0.5)
  present.trace = trace('b')
  clock.advance(500)
  timer.record(9)
  present.trace = undefined
  timer.record(1.5)
  expect(snapshotOf(registry, 'timer', 'work').exemplars).toEqual([
    { ...trace('a'), value: 0.5, timestamp: start },
    undefined,
    { ...trace('b'), value: 9, timestamp: start + 0.5 },
  ])
})

it('of a bucket is replaced once the meter has been read, or after a step of its window', () => {
  const { clock, present, registry } = setUp()
  const timer = registry.timer('work', {}, { slo: [1] })
  const recordIn = (letter: string) => {
    present.trace = trace(letter)
    timer.record(0.5)
  }
  const exemplar = () => snapshotOf(registry, 'timer', 'work').exemplars?.[0]
  recordIn('a')
  recordIn('b')
  expect(exemplar()).toMatchObject(trace('a'))
  recordIn('c')
  recordIn('d')
  clock.advance(600_000)
  recordIn('e')
  expect(exemplar()).toMatchObject(trace('e'))
  expect(exemplar()).toMatchObject(trace('e'))
})

it('of each bucket is read without a snapshot', () => {
  const { present, registry } = setUp()
  present.trace = trace('a')
  registry.timer('work', {}, { slo: [1] }).record(0.5)
  expect(storedMeter(registry, 'work').exemplars?.()).toEqual([
    { ...trace('a'), value: 0.5, timestamp: start },
    undefined,
  ])
})

it('is not taken without buckets or without a source', () => {
  const { present, registry } = setUp()
  present.trace = trace('a')
  registry.timer('plain').record(1)
  expect(snapshotOf(registry, 'timer', 'plain').exemplars).toBeUndefined()
  const without = createMeterRegistry()
  without.timer('work', {}, { slo: [1] }).record(1)
  expect(snapshotOf(without, 'timer', 'work').exemplars).toBeUndefined()
})

it('does not fail the code that records when its source fails', () => {
  const registry = createMeterRegistry({
    exemplar() {
      throw new Error('x')
    },
  })
  registry.counter('a').increment()
  registry.timer('work', {}, { slo: [1] }).record(0.5)
  expect(snapshotOf(registry, 'counter', 'a')).toMatchObject({ value: 1, exemplar: undefined })
  expect(snapshotOf(registry, 'timer', 'work')).toMatchObject({ count: 1, exemplars: [undefined, undefined] })
})

it('is supported by counters that reject the same amounts as others', () => {
  const { registry } = setUp()
  expect(() => registry.counter('a').increment(-1)).toThrow(RangeError)
})

it.each<[unknown, string]>([
  ['text', 'expected { traceId, spanId } or undefined, received a string'],
  [{ traceId: 'a' }, 'expected { traceId, spanId } or undefined, received an object'],
  [{ spanId: 'a' }, 'expected { traceId, spanId } or undefined, received an object'],
  [{ traceId: 1, spanId: 'a' }, 'expected { traceId, spanId } with a string as traceId, received a number'],
  [{ traceId: 'a', spanId: 1 }, 'expected { traceId, spanId } with a string as spanId, received a number'],
])('a measurement has none where its source returns %j, which is diagnosed', (returned, message) => {
  const diagnosed: string[] = []
  const registry = createMeterRegistry({
    exemplar: () => returned as ReturnType<ExemplarSource>,
    diagnose: (diagnostic) => diagnosed.push(diagnostic.message),
  })
  registry.counter('a').increment()
  registry.counter('a').increment()
  expect(snapshotOf(registry, 'counter', 'a').exemplar).toBeUndefined()
  expect(diagnosed).toEqual([expect.stringContaining(message)])
})

it('a measurement has none where its source returns null, which is no mistake', () => {
  const diagnose = vi.fn()
  const registry = createMeterRegistry({ exemplar: () => null as never, diagnose })
  registry.counter('a').increment()
  expect(snapshotOf(registry, 'counter', 'a').exemplar).toBeUndefined()
  expect(diagnose).not.toHaveBeenCalled()
})
