import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createMeterRegistry } from 'upkeep/metrics'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { idText } from './reading-snapshots.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance', 'Date'] })
})
afterEach(() => vi.useRealTimers())

const minute = 60_000

describe('an unused meter', () => {
  it('is removed after the limit of its kind, others stay', () => {
    const registry = createMeterRegistry({ expireAfter: { counter: '10m', summary: '20m' } })
    registry.counter('a', { x: 1 }).increment()
    registry.counter('a', { x: 2 }).increment()
    registry.summary('b').record(1)
    registry.timer('c').record(1)
    registry.gauge('d', () => 1)
    vi.advanceTimersByTime(8 * minute)
    registry.counter('a', { x: 2 }).increment()
    const ids = () => [...registry.snapshot()].map(idText)
    expect(ids()).toEqual(['a{x=1}', 'a{x=2}', 'b{}', 'c{}', 'd{}'])
    vi.advanceTimersByTime(6 * minute)
    expect(ids()).toEqual(['a{x=2}', 'b{}', 'c{}', 'd{}'])
    vi.advanceTimersByTime(15 * minute)
    expect(ids()).toEqual(['c{}', 'd{}'])
    registry.close()
  })

  it('is not a counter with exemplars that is incremented', () => {
    const exemplar = () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) })
    const registry = createMeterRegistry({ expireAfter: { counter: '10m' }, exemplar })
    const counter = registry.counter('a')
    for (let time = 0; time < 20; time++) {
      counter.increment()
      vi.advanceTimersByTime(3 * minute)
    }
    expect(registry.names()).toEqual(['a'])
    registry.close()
  })

  it('is not removed by default', () => {
    const registry = createMeterRegistry()
    registry.counter('a')
    vi.advanceTimersByTime(30 * 24 * 60 * minute)
    expect(registry.names()).toEqual(['a'])
    registry.close()
  })

  it('is not a long task timer with a running task', () => {
    const registry = createMeterRegistry({ expireAfter: { longTaskTimer: '5m' } })
    registry.longTaskTimer('a').start()
    registry.longTaskTimer('b').start().stop()
    vi.advanceTimersByTime(60 * minute)
    expect(registry.names()).toEqual(['a'])
    registry.close()
  })
})

describe('a check of thousands of meters', () => {
  const many = () => {
    const registry = createMeterRegistry({
      expireAfter: { counter: '10m' },
      maximumSeriesPerMeter: Number.POSITIVE_INFINITY,
    })
    const counters = Array.from({ length: 5_000 }, (_, at) => registry.counter('a', { at }))
    return { registry, counters }
  }

  const turns = async (times: number) => {
    for (let time = 0; time < times; time++) await new Promise((resolve) => setImmediate(resolve))
  }
  /** As many looks as it takes to see that nothing was used for ten minutes. */
  const lookAgain = async (looks = 6) => {
    for (let look = 0; look < looks; look++) {
      vi.advanceTimersToNextTimer()
      await turns(25)
    }
  }
  const watch = (counters: readonly unknown[]) => {
    const looks = counters.map((counter) => vi.spyOn(counter as { activity(): number }, 'activity'))
    return () => looks.filter((look) => look.mock.calls.length > 0).length
  }

  it('yields to the event loop, and covers all of them', async () => {
    const { registry, counters } = many()
    const looked = watch(counters)
    vi.advanceTimersToNextTimer()
    expect(looked()).toBe(256)
    await turns(1)
    expect(looked()).toBe(512)
    await turns(20)
    expect(looked()).toBe(5_000)
    await lookAgain()
    expect(registry.names()).toEqual([])
    registry.close()
  })

  it('does not expire meters that are removed meanwhile', async () => {
    const { registry, counters } = many()
    await lookAgain(4)
    vi.advanceTimersToNextTimer()
    expect([...registry.snapshot()]).toHaveLength(5_000 - 256)
    for (const counter of counters) registry.remove(counter)
    await turns(25)
    for (const counter of counters.slice(-1_000)) counter.increment()
    await lookAgain(1)
    expect(registry.names()).toEqual([])
    registry.close()
  })

  it('yields to the event loop while it looks at those that have expired', async () => {
    const { registry, counters } = many()
    await lookAgain()
    expect(registry.names()).toEqual([])
    const looked = watch(counters)
    vi.advanceTimersToNextTimer()
    expect(looked()).toBe(256)
    await turns(1)
    expect(looked()).toBe(512)
    registry.close()
  })

  it('ends with the registry', async () => {
    const { registry, counters } = many()
    const looked = watch(counters)
    vi.advanceTimersToNextTimer()
    registry.close()
    await turns(25)
    expect(looked()).toBe(256)
  })
})

describe('an expired meter', () => {
  it('returns with its count when it is used again', () => {
    const registry = createMeterRegistry({ expireAfter: { counter: '10m' } })
    const counter = registry.counter('a', { x: 1 })
    counter.increment(5)
    vi.advanceTimersByTime(30 * minute)
    expect(registry.names()).toEqual([])
    counter.increment()
    vi.advanceTimersByTime(3 * minute)
    expect([...registry.snapshot()]).toMatchObject([{ value: 6, id: { tags: [{ key: 'x', value: '1' }] } }])
    expect(registry.counter('a', { x: 1 })).toBe(counter)
    registry.close()
  })

  it('is the one that is found when it is requested again', () => {
    const registry = createMeterRegistry({ expireAfter: { timer: '10m' } })
    const timers = registry.timers('a', ['x'])
    const timer = timers.with('1')
    timer.record(2)
    vi.advanceTimersByTime(30 * minute)
    expect(timers.with('1')).toBe(timer)
    expect([...registry.snapshot()]).toMatchObject([{ count: 1, total: 2 }])
    registry.close()
  })

  it('is garbage-collected when it is not referenced', async () => {
    const registry = createMeterRegistry({ expireAfter: { counter: '10m' } })
    registry.counter('a').increment(5)
    vi.advanceTimersByTime(30 * minute)
    for (let turn = 0; turn < 3; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
      collectGarbage()
    }
    vi.advanceTimersByTime(30 * minute)
    expect(registry.counter('a').value).toBe(0)
    registry.close()
  })
})

it('checks no more often for a limit of months', () => {
  const registry = createMeterRegistry({ expireAfter: { counter: '200d' } })
  const counter = registry.counter('a')
  const activity = vi.spyOn(counter as unknown as { activity(): number }, 'activity')
  vi.advanceTimersByTime(24 * 60 * minute)
  expect(activity).not.toHaveBeenCalled()
  vi.advanceTimersByTime(24 * 24 * 60 * minute)
  expect(activity).toHaveBeenCalledOnce()
  registry.close()
})

it.each(['', '10', 'soon', '-1m', '0s'])('rejects the limit %j', (limit) => {
  expect(() => createMeterRegistry({ expireAfter: { counter: limit as '1m' } })).toThrow(/expireAfter\.counter/)
})
