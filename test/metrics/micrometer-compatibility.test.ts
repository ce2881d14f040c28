// What Micrometer's own compatibility kit asks of a registry, in our words, with seconds for durations. Where upkeep
// differs on purpose, the fact says so.

import { commonTags, createMeterRegistry, deny } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { createManualClock } from './manual-clock.ts'
import { idText, snapshotOf, snapshotsOf } from './reading-snapshots.ts'

const step = 60_000

function setUp() {
  const clock = createManualClock()
  return { clock, registry: createMeterRegistry({ clock, diagnose: () => {} }) }
}

describe('registry', () => {
  it('returns equal meters for equal name and tags, in any order of the tags', () => {
    const { registry } = setUp()
    expect(registry.counter('foo', { k: 'v', a: 'b' })).toBe(registry.counter('foo', { a: 'b', k: 'v' }))
  })

  it('does not register a meter as two kinds', () => {
    const { registry } = setUp()
    registry.counter('foo')
    expect(() => registry.timer('foo')).toThrow(/counter.*timer/)
  })

  it('keeps the first description', () => {
    const { registry } = setUp()
    registry.counter('foo', { k: 1 }, { description: 'first' })
    registry.counter('foo', { k: 1 }, { description: 'second' })
    expect(snapshotOf(registry, 'counter', 'foo').id.description).toBe('first')
  })

  it('finds a meter by the requested tags, with and without common tags', () => {
    const registry = createMeterRegistry({ filters: [commonTags({ k: 'v' })] })
    registry.counter('foo', { k2: 'v2' }).increment()
    expect(registry.counter('foo', { k2: 'v2' }).value).toBe(1)
    expect(registry.counter('foo', { k: 'v', k2: 'v2' }).value).toBe(1)
  })

  it('returns meters without visible effect for denied ones', () => {
    const registry = createMeterRegistry({ filters: [deny('foo')] })
    registry.counter('foo').increment()
    registry.timer('foo.timer').record(1)
    expect([...registry.snapshot()]).toEqual([])
  })

  it('drops a removed meter, and creates it anew on request', () => {
    const { registry } = setUp()
    const counter = registry.counter('foo', { k: 'v' })
    counter.increment()
    registry.remove(counter)
    expect(registry.names()).toEqual([])
    expect(registry.counter('foo', { k: 'v' }).value).toBe(0)
  })
})

describe('counter', () => {
  it('starts at zero and increments by one and by amounts', () => {
    const { clock, registry } = setUp()
    const counter = registry.counter('myCounter')
    expect(counter.value).toBe(0)
    counter.increment()
    clock.advance(step)
    expect(counter.value).toBe(1)
    counter.increment(2)
    counter.increment(0)
    clock.advance(step)
    expect(counter.value).toBe(3)
  })

  it('rejects a negative amount, which Micrometer subtracts', () => {
    const { registry } = setUp()
    expect(() => registry.counter('myCounter').increment(-1)).toThrow(RangeError)
  })
})

describe('gauge', () => {
  it('follows the value that it reads', () => {
    const { registry } = setUp()
    const state = { size: 0 }
    const gauge = registry.gauge('myGauge', {}, state, ({ size }) => size)
    expect(gauge.value).toBe(0)
    state.size = 1
    expect(gauge.value).toBe(1)
  })

  it('is NaN when its function throws', () => {
    const { registry } = setUp()
    const gauge = registry.gauge('myGauge', () => {
      throw new Error('x')
    })
    expect(gauge.value).toBeNaN()
  })

  it('ignores a second function for the same id', () => {
    const { registry } = setUp()
    registry.gauge('myGauge', () => 1)
    registry.gauge('myGauge', () => 2)
    expect(snapshotOf(registry, 'gauge', 'myGauge').value).toBe(1)
  })
})

describe('timer', () => {
  it('records total and count of durations', () => {
    const { clock, registry } = setUp()
    const timer = registry.timer('myTimer')
    expect(timer).toMatchObject({ count: 0, total: 0 })
    timer.record(42e-9)
    clock.advance(step)
    expect(timer).toMatchObject({ count: 1, total: 42e-9, max: 42e-9 })
  })

  it('records a duration of zero', () => {
    const { registry } = setUp()
    registry.timer('myTimer').record(0)
    expect(registry.timer('myTimer')).toMatchObject({ count: 1, total: 0 })
  })

  it('ignores a negative duration', () => {
    const { registry } = setUp()
    registry.timer('myTimer').record(-42)
    expect(registry.timer('myTimer')).toMatchObject({ count: 0, total: 0 })
  })

  it('times functions, and records one that throws under its error', () => {
    const { clock, registry } = setUp()
    const timer = registry.timer('myTimer')
    expect(timer.time(() => clock.advance(10) ?? 'result')).toBe('result')
    expect(() =>
      timer.time(() => {
        clock.advance(10)
        throw new TypeError('x')
      }),
    ).toThrow(TypeError)
    expect(snapshotsOf(registry, 'timer', 'myTimer').map((each) => [idText(each), each.total])).toEqual([
      ['myTimer{}', 0.01],
      ['myTimer{error=TypeError}', 0.01],
    ])
  })

  it('records samples that are stopped later', () => {
    const { clock, registry } = setUp()
    const sample = registry.start()
    clock.advance(10)
    expect(sample.stop(registry.timer('myTimer'))).toBe(0.01)
    expect(registry.timer('myTimer')).toMatchObject({ count: 1, total: 0.01 })
  })

  it('has a maximum that decays', () => {
    const { clock, registry } = setUp()
    const timer = registry.timer('myTimer')
    timer.record(10)
    timer.record(1)
    expect(timer.max).toBe(10)
    clock.advance(3 * step)
    expect(timer.max).toBe(0)
    timer.record(1)
    expect(timer.max).toBe(1)
  })

  it('counts service level objectives, inclusive of the bound', () => {
    const { registry } = setUp()
    const timer = registry.timer('myTimer', {}, { slo: [0.005, 0.02, 0.1] })
    for (const seconds of [0.005, 0.006, 0.02, 0.2]) timer.record(seconds)
    expect(snapshotOf(registry, 'timer', 'myTimer').buckets).toEqual({
      bounds: [0.005, 0.02, 0.1],
      counts: [1, 2, 0, 1],
    })
  })

  it('has percentiles close to the exact ones', () => {
    const { registry } = setUp()
    const timer = registry.timer('myTimer', {}, { percentiles: [0.5, 0.9, 0.99] })
    for (let at = 1; at <= 1_000; at++) timer.record(at / 1_000)
    const values = snapshotOf(registry, 'timer', 'myTimer').percentiles?.map(({ value }) => value) ?? []
    for (const [at, exact] of [0.5, 0.9, 0.99].entries()) {
      expect(Math.abs((values[at] ?? 0) - exact) / exact).toBeLessThan(0.016)
    }
  })
})

describe('distribution summary', () => {
  it('records count, total and maximum of amounts', () => {
    const { clock, registry } = setUp()
    const summary = registry.summary('mySummary')
    summary.record(10)
    clock.advance(1_000)
    summary.record(10)
    clock.advance(1_000)
    expect(summary).toMatchObject({ count: 2, total: 20, max: 10 })
  })

  it('records zero and ignores negative amounts', () => {
    const { registry } = setUp()
    const summary = registry.summary('mySummary')
    summary.record(0)
    summary.record(-10)
    expect(summary).toMatchObject({ count: 1, total: 0 })
  })

  it('scales before recording', () => {
    const { registry } = setUp()
    const summary = registry.summary('mySummary', {}, { scale: 2 })
    summary.record(1)
    expect(summary).toMatchObject({ count: 1, total: 2, max: 2 })
  })
})

describe('long task timer', () => {
  it('counts tasks only while they run', () => {
    const { clock, registry } = setUp()
    const timer = registry.longTaskTimer('myTimer')
    const one = timer.start()
    clock.advance(10)
    const other = timer.start()
    clock.advance(10)
    expect(timer).toMatchObject({ activeTasks: 2, duration: 0.03, max: 0.02 })
    one.stop()
    expect(timer).toMatchObject({ activeTasks: 1, duration: 0.01, max: 0.01 })
    other.stop()
    expect(timer).toMatchObject({ activeTasks: 0, duration: 0, max: 0 })
  })

  it('does not affect a timer of the same name with other tags', () => {
    const { registry } = setUp()
    registry.timer('work', { a: 1 })
    registry.longTaskTimer('work', { a: 2 })
    expect(registry.names()).toEqual(['work'])
  })
})

describe('function meters', () => {
  it('read a count, and a count with a total', () => {
    const { registry } = setUp()
    const cache = { hits: 1, loads: 2, loading: 0.3 }
    const counter = registry.functionCounter('hits', {}, cache, ({ hits }) => hits)
    const timer = registry.functionTimer('loads', {}, cache, ({ loads, loading }) => ({ count: loads, total: loading }))
    cache.hits = 5
    cache.loads = 4
    expect(counter.value).toBe(5)
    expect(timer).toMatchObject({ count: 4, total: 0.3 })
  })
})
