import fc from 'fast-check'
import { createMeterRegistry } from 'upkeep/metrics'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createManualClock } from './manual-clock.ts'
import { snapshotOf } from './reading-snapshots.ts'

afterEach(() => vi.useRealTimers())

function setUp() {
  const clock = createManualClock()
  const registry = createMeterRegistry({ clock })
  return { clock, registry, timer: registry.timer('work', {}, { percentiles: [0.5] }) }
}

describe('maximum', () => {
  it('is visible in the rotation of its recording and the two following ones', () => {
    const { clock, timer } = setUp()
    timer.record(5)
    const seen = [0, 60, 60, 60].map((seconds) => {
      clock.advance(seconds * 1_000)
      return timer.max
    })
    expect(seen).toEqual([5, 5, 5, 0])
  })

  it('is replaced by the next greatest value when it expires', () => {
    const { clock, timer } = setUp()
    timer.record(5)
    clock.advance(60_000)
    timer.record(3)
    clock.advance(60_000)
    timer.record(1)
    expect(timer.max).toBe(5)
    clock.advance(60_000)
    expect(timer.max).toBe(3)
    clock.advance(60_000)
    expect(timer.max).toBe(1)
    clock.advance(60_000)
    expect(timer.max).toBe(0)
  })

  it('starts anew after a long pause', () => {
    const { clock, registry, timer } = setUp()
    timer.record(5)
    clock.advance(3_600_000)
    timer.record(2)
    expect(timer.max).toBe(2)
    expect(snapshotOf(registry, 'timer', 'work').max).toBe(2)
  })

  it('does not affect count, total or buckets', () => {
    const clock = createManualClock()
    const registry = createMeterRegistry({ clock })
    const timer = registry.timer('work', {}, { slo: [1, 4] })
    for (const seconds of [0.5, 3, 9]) timer.record(seconds)
    clock.advance(3_600_000)
    expect(snapshotOf(registry, 'timer', 'work')).toMatchObject({
      count: 3,
      total: 12.5,
      max: 0,
      buckets: { bounds: [1, 4], counts: [1, 1, 1] },
    })
  })
})

it('applies to the maximum and to percentiles', () => {
  const { clock, registry, timer } = setUp()
  timer.record(5)
  clock.advance(120_000)
  expect(snapshotOf(registry, 'timer', 'work').percentiles).toEqual([{ quantile: 0.5, value: expect.closeTo(5, 0.08) }])
  clock.advance(60_000)
  expect(snapshotOf(registry, 'timer', 'work').percentiles).toEqual([{ quantile: 0.5, value: 0 }])
})

it('keeps the values of percentiles from one rotation to the next, and drops them with the oldest', () => {
  const { clock, registry, timer } = setUp()
  const median = () => snapshotOf(registry, 'timer', 'work').percentiles?.[0]?.value
  for (const seconds of [1.01, 3.9, 3.9, 3.9]) timer.record(seconds)
  for (let rotation = 0; rotation < 3; rotation++) {
    expect(median()).toBeCloseTo(3.9, 1)
    clock.advance(60_000)
  }
  timer.record(100)
  expect(median()).toBeCloseTo(100)
})

it('has the configured number and length of rotations', () => {
  const clock = createManualClock()
  const registry = createMeterRegistry({ clock, window: { rotations: 1, rotation: '10s' } })
  const timer = registry.timer('work')
  timer.record(5)
  clock.advance(9_999)
  expect(timer.max).toBe(5)
  clock.advance(1)
  expect(timer.max).toBe(0)
})

it.each([0, -1, 1.5, Number.NaN])('rejects %s rotations', (rotations) => {
  expect(() => createMeterRegistry({ window: { rotations } })).toThrow(RangeError)
})

it.each(['0s', '', '-1m'])('rejects rotations of %j', (rotation) => {
  expect(() => createMeterRegistry({ window: { rotation: rotation as '1m' } })).toThrow(/window\.rotation/)
})

it('has the greatest value of the visible rotations for any sequence of recordings', () => {
  const step = fc.record({ seconds: fc.nat({ max: 200 }), value: fc.option(fc.nat({ max: 100 })) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (steps, rotations) => {
      const clock = createManualClock()
      const timer = createMeterRegistry({ clock, window: { rotations } }).timer('work')
      let now = 0
      const recorded: { rotation: number; value: number }[] = []
      for (const { seconds, value } of steps) {
        clock.advance(seconds * 1_000)
        now += seconds
        const rotation = Math.floor(now / 60)
        if (value !== null) {
          timer.record(value)
          recorded.push({ rotation, value })
        }
        const inSight = recorded.filter((record) => record.rotation > rotation - rotations)
        expect(timer.max).toBe(Math.max(0, ...inSight.map((record) => record.value)))
      }
    }),
  )
})

describe("with the system's clock", () => {
  it('rotates by a timer, which stops with the registry', () => {
    vi.useFakeTimers()
    const registry = createMeterRegistry()
    expect(vi.getTimerCount()).toBe(0)
    const timer = registry.timer('work')
    expect(vi.getTimerCount()).toBe(1)
    timer.record(5)
    vi.advanceTimersByTime(125_000)
    timer.record(1)
    expect(timer.max).toBe(5)
    vi.advanceTimersByTime(60_000)
    expect(snapshotOf(registry, 'timer', 'work').max).toBe(1)
    registry.close()
    expect(vi.getTimerCount()).toBe(0)
    registry.timer('late')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('loses nothing while the event loop is blocked, and is correct at the next read', () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] })
    const timer = createMeterRegistry().timer('work')
    timer.record(5)
    vi.advanceTimersByTime(600_000)
    timer.record(1)
    expect(timer.count).toBe(2)
    expect(timer.max).toBe(0)
    timer.record(1)
    expect(timer.max).toBe(1)
  })
})
