import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRegistryCopier } from '../../src/cluster/copy-registry.ts'
import { createSnapshotCopier } from '../../src/cluster/copy-snapshots.ts'
import { cellCount, type SeriesDefinition } from '../../src/cluster/series-definition.ts'
import type { ValueCopier, ValueTarget } from '../../src/cluster/value-target.ts'
import { extensible } from '../../src/metrics/extensible-registry.ts'
import type { MeterRegistry } from '../../src/metrics/meter-registry.ts'
import { createMeterRegistry } from '../../src/metrics/registry.ts'
import type { Exemplar } from '../../src/metrics/snapshot.ts'

/** A target in memory that can be read by series. */
function createTarget() {
  const definitions: (SeriesDefinition | undefined)[] = []
  const places: number[] = []
  const exemplars = new Map<string, Exemplar>()
  let cells = new Float64Array(0)
  let end = 0
  const target: ValueTarget = {
    get cells() {
      return cells
    },
    define(definition) {
      definitions.push(definition)
      places.push(end)
      end += cellCount(definition)
      const larger = new Float64Array(end)
      larger.set(cells)
      cells = larger
      return definitions.length - 1
    },
    remove: (index) => void definitions.splice(index, 1, undefined),
    placeOf: (index) => places[index] as number,
    finish: () => {},
    setExemplar: (index, bucket, exemplar) => void exemplars.set(`${index}/${bucket}`, exemplar),
  }
  const values = () =>
    Object.fromEntries(
      definitions.flatMap((definition, index) => {
        if (definition === undefined) return []
        const { kind, id, created, bounds, exponentialBuckets } = definition
        const place = places[index] as number
        const numbers = [...cells.subarray(place, place + cellCount(definition))]
        return [[JSON.stringify([kind, id.name, id.tags]), { created, bounds, exponentialBuckets, numbers }]]
      }),
    )
  return { target, values, exemplars, definitions }
}

/** Returns whether the application has counted or recorded something. */
function copyAll(copier: ValueCopier, gauges = true): boolean {
  const steps = copier.copy(gauges)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

type Step = (meters: MeterRegistry) => void
const amounts = fc.double({ min: 0, max: 1e6, noNaN: true })
const tags = fc.record({ region: fc.constantFrom('eu', 'us', 'asia') })
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(tags, amounts).map(
    ([tag, amount]): Step =>
      (meters) =>
        meters.counter('orders', tag).increment(amount),
  ),
  fc.tuple(tags, amounts).map(
    ([tag, amount]): Step =>
      (meters) =>
        meters.timer('plain', tag).record(amount),
  ),
  amounts.map(
    (amount): Step =>
      (meters) =>
        meters.timer('slo', {}, { slo: [1, 10] }).record(amount),
  ),
  amounts.map(
    (amount): Step =>
      (meters) =>
        meters.summary('sizes', {}, { scale: 2, exponential: true }).record(amount),
  ),
  fc.constant<Step>((meters) => void meters.longTaskTimer('tasks').start()),
  amounts.map(
    (amount): Step =>
      (meters) =>
        void meters.gauge('level', { amount }, () => amount),
  ),
  amounts.map(
    (amount): Step =>
      (meters) =>
        void meters.functionTimer('read', {}, () => ({ count: 1, total: amount })),
  ),
  tags.map(
    (tag): Step =>
      (meters) =>
        void meters.remove(meters.counter('orders', tag)),
  ),
)

const clock = { wallTime: () => 1_000, monotonicTime: () => 5 }

describe('copying values', () => {
  it('writes the same cells from a registry as from its snapshots, whatever happens in between', () => {
    fc.assert(
      fc.property(fc.array(fc.array(steps, { maxLength: 30 }), { maxLength: 5 }), (rounds) => {
        const meters = createMeterRegistry({ clock, diagnose: () => {} })
        const direct = createTarget()
        const bySnapshots = createTarget()
        const copiers = [
          createRegistryCopier(extensible(meters, 'test'), direct.target),
          createSnapshotCopier(meters, bySnapshots.target),
        ]
        for (const round of rounds) {
          for (const step of round) step(meters)
          for (const copier of copiers) copyAll(copier)
          expect(direct.values()).toEqual(bySnapshots.values())
        }
      }),
    )
  })

  it('leaves out gauges where they are not wanted', () => {
    const meters = createMeterRegistry()
    let reads = 0
    meters.gauge('level', {}, () => ++reads)
    meters.counter('orders').increment()
    const { target, values } = createTarget()
    const copier = createRegistryCopier(extensible(meters, 'test'), target)
    copyAll(copier, false)
    expect(Object.keys(values())).toEqual(['["counter","orders",[]]'])
    expect(reads).toBe(0)
    copyAll(copier)
    expect(Object.keys(values())).toHaveLength(2)
  })

  it('from a registry tells of nothing recorded while the value of a function counter changes', () => {
    const meters = createMeterRegistry({ clock })
    let reads = 0
    meters.functionCounter('reads', {}, () => ++reads)
    const { target } = createTarget()
    const copier = createRegistryCopier(extensible(meters, 'test'), target)
    for (let round = 0; round < 3; round++) expect(copyAll(copier)).toBe(false)
  })

  describe.each(['registry', 'snapshots'])('from a %s tells whether something was recorded', (from) => {
    const start = () => {
      const meters = createMeterRegistry({ clock })
      const { target } = createTarget()
      const ofRegistry = from === 'registry'
      const copier = ofRegistry
        ? createRegistryCopier(extensible(meters, 'test'), target)
        : createSnapshotCopier(meters, target)
      return { meters, copier }
    }

    it.each<[string, Step]>([
      ['a counter', (meters) => meters.counter('orders').increment()],
      ['a timer', (meters) => meters.timer('work').record(1)],
      ['a summary', (meters) => meters.summary('sizes').record(1)],
    ])('of %s: true once', (_, record) => {
      const { meters, copier } = start()
      record(meters)
      expect(copyAll(copier)).toBe(true)
      expect(copyAll(copier)).toBe(false)
      record(meters)
      expect(copyAll(copier)).toBe(true)
      expect(copyAll(copier)).toBe(false)
    })

    it('of a gauge, a function timer and an active task: false, although their values change', () => {
      const { meters, copier } = start()
      let level = 0
      meters.gauge('level', {}, () => level)
      meters.functionTimer('read', {}, () => ({ count: level, total: level }))
      meters.longTaskTimer('tasks').start()
      for (level = 1; level < 4; level++) expect(copyAll(copier)).toBe(false)
    })
  })

  describe('of many counters of one name', () => {
    const countersOf = (count: number) => {
      const meters = createMeterRegistry()
      const counters = meters.counters('orders', ['customer'])
      for (let customer = 0; customer < count; customer++) counters.with(String(customer))
      const { target, values } = createTarget()
      const copier = createRegistryCopier(extensible(meters, 'test'), target)
      const sum = () => Object.values(values()).reduce((total, { numbers: [value = 0] }) => total + value, 0)
      return { counters, sum, copy: (gauges: boolean) => copyAll(copier, gauges) }
    }

    it('reads them with the gauges only, once none has changed', () => {
      const { counters, sum, copy } = countersOf(501)
      copy(false)
      copy(false)
      counters.with('500').increment()
      copy(false)
      expect(sum()).toBe(0)
      copy(true)
      expect(sum()).toBe(1)
    })

    it('reads them each time while one of them changes', () => {
      const { counters, sum, copy } = countersOf(501)
      copy(true)
      for (const total of [1, 2, 3]) {
        counters.with(String(100 * total)).increment()
        copy(false)
        expect(sum()).toBe(total)
      }
    })

    it('reads all of them when there is a new one', () => {
      const { counters, sum, copy } = countersOf(501)
      copy(true)
      copy(true)
      counters.with('7').increment()
      counters.with('new').increment()
      copy(false)
      expect(sum()).toBe(2)
    })

    it('reads up to 500 each time', () => {
      const { counters, sum, copy } = countersOf(500)
      copy(true)
      copy(true)
      counters.with('7').increment()
      copy(false)
      expect(sum()).toBe(1)
    })
  })

  it.each(['registry', 'snapshots'])('copies exemplars from a %s', (from) => {
    const meters = createMeterRegistry({ clock, exemplar: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }) })
    meters.counter('orders').increment(3)
    meters.timer('slo', {}, { slo: [1, 10] }).record(4)
    const { target, exemplars } = createTarget()
    copyAll(
      from === 'registry'
        ? createRegistryCopier(extensible(meters, 'test'), target)
        : createSnapshotCopier(meters, target),
    )
    const written = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), timestamp: 1 }
    expect([...exemplars.entries()]).toEqual([
      ['0/0', { value: 3, ...written }],
      ['1/1', { value: 4, ...written }],
    ])
  })

  it('removes a series that the registry no longer has', () => {
    const meters = createMeterRegistry()
    const rows = meters.multiGauge('rows')
    rows.register([{ tags: { row: '1' }, value: 5 }])
    const { target, definitions } = createTarget()
    const copier = createRegistryCopier(extensible(meters, 'test'), target)
    copyAll(copier)
    expect(definitions.filter(Boolean)).toHaveLength(1)
    rows.register([])
    copyAll(copier)
    expect(definitions.filter(Boolean)).toHaveLength(0)
  })
})
