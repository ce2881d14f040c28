import { constants, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bindGarbageCollectionMeters, classifyCollection } from '../../../src/runtime/meters/garbage-collection.ts'
import { bindRuntimeMeters } from '../../support/bind-runtime-meters.ts'

setFlagsFromString('--expose-gc')
const collect: (options?: { readonly type: 'minor' | 'major' }) => void = runInNewContext('gc')

/** How many collections an observer of Node's own sees, and in how many batches they come. */
function watchCollections() {
  const batches: number[] = []
  const observer = new PerformanceObserver((list) => batches.push(list.getEntries().length))
  observer.observe({ type: 'gc' })
  onTestFinished(() => observer.disconnect())
  return { batches, count: () => batches.reduce((total, size) => total + size, 0) }
}

/** Collections are told of in a later turn. */
const until = (reached: () => boolean) => expect.poll(reached, { interval: 1 }).toBe(true)

describe('gc.pause', () => {
  it('counts every collection of a batch', async () => {
    const began = performance.now()
    const watched = watchCollections()
    const { snapshots } = bindRuntimeMeters(bindGarbageCollectionMeters)
    const counted = () =>
      snapshots('jvm.gc.pause').reduce((total, each) => total + (each.kind === 'timer' ? each.count : 0), 0)
    for (let index = 0; index < 20; index++) collect({ type: 'minor' })
    for (let index = 0; index < 5; index++) collect()
    await until(() => watched.count() >= 25 && counted() >= watched.count())
    expect(Math.max(...watched.batches)).toBeGreaterThan(1)
    expect(counted()).toBe(watched.count())
    const forced = snapshots('jvm.gc.pause').find(({ id }) =>
      id.tags.every(
        ({ key, value }) => value === { action: 'end of major GC', cause: 'forced', gc: 'Mark-Compact' }[key],
      ),
    )
    expect(forced).toMatchObject({ kind: 'timer', count: 5, id: { baseUnit: 'seconds' } })
    const total = forced?.kind === 'timer' ? forced.total : Number.NaN
    expect(total).toBeGreaterThan(0)
    // Seconds: in milliseconds it would be more than all of the time.
    expect(total).toBeLessThan((performance.now() - began) / 1_000)
  })

  it('does not count after disposal', async () => {
    const { dispose, snapshots } = bindRuntimeMeters(bindGarbageCollectionMeters, { prefix: 'nodejs.' })
    dispose()
    const watched = watchCollections()
    collect()
    await until(() => watched.count() > 0)
    expect(snapshots('nodejs.gc.pause')).toEqual([])
  })
})

describe('the pressure on the heap', () => {
  it('is read after a major collection', async () => {
    const { gauges, snapshots, clock, meters } = bindRuntimeMeters(bindGarbageCollectionMeters)
    const read = (name: string) => Object.values(gauges(`jvm.${name}`))[0] ?? Number.NaN
    expect([read('gc.overhead'), read('gc.live.data.size'), read('memory.usage.after.gc')]).toEqual([0, 0, 0])
    clock.advance(60_000)
    collect()
    await until(() => read('gc.live.data.size') > 0)
    const live = read('gc.live.data.size')
    expect(live).toBeGreaterThan(1_000_000)
    expect(read('gc.max.data.size')).toBe(getHeapStatistics().heap_size_limit)
    expect(gauges('jvm.memory.usage.after.gc')).toEqual({
      'area=heap,pool=long-lived': live / getHeapStatistics().heap_size_limit,
    })
    expect(read('gc.overhead')).toBeGreaterThan(0)
    expect(read('gc.overhead')).toBeLessThan(0.5)
    const units = meters.names().map((name) => [name, snapshots(name)[0]?.id.baseUnit])
    expect(units).toEqual([
      ['jvm.gc.live.data.size', 'bytes'],
      ['jvm.gc.max.data.size', 'bytes'],
      ['jvm.gc.overhead', undefined],
      ['jvm.gc.pause', 'seconds'],
      ['jvm.memory.usage.after.gc', undefined],
    ])
  })
})

describe('a collection', () => {
  const none = constants.NODE_PERFORMANCE_GC_FLAGS_NO
  it.each([
    [constants.NODE_PERFORMANCE_GC_MINOR, none, 'end of minor GC', 'allocation', 'Scavenger'],
    [2, none, 'end of minor GC', 'allocation', 'Minor Mark-Sweep'],
    [constants.NODE_PERFORMANCE_GC_MAJOR, none, 'end of major GC', 'allocation', 'Mark-Compact'],
    [constants.NODE_PERFORMANCE_GC_INCREMENTAL, none, 'incremental marking', 'allocation', 'Mark-Compact'],
    [constants.NODE_PERFORMANCE_GC_WEAKCB, none, 'weak callbacks', 'allocation', 'Mark-Compact'],
    [
      constants.NODE_PERFORMANCE_GC_MAJOR,
      constants.NODE_PERFORMANCE_GC_FLAGS_FORCED,
      'end of major GC',
      'forced',
      'Mark-Compact',
    ],
    [
      constants.NODE_PERFORMANCE_GC_MAJOR,
      constants.NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY,
      'end of major GC',
      'external memory',
      'Mark-Compact',
    ],
    [
      constants.NODE_PERFORMANCE_GC_MAJOR,
      constants.NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE,
      'end of major GC',
      'all available garbage',
      'Mark-Compact',
    ],
    [
      constants.NODE_PERFORMANCE_GC_MAJOR,
      constants.NODE_PERFORMANCE_GC_FLAGS_SCHEDULE_IDLE,
      'end of major GC',
      'idle',
      'Mark-Compact',
    ],
    [1_024, none, 'unknown', 'allocation', 'unknown'],
  ])('of kind %i and flags %i has its action, cause and collector', (kind, flags, action, cause, gc) => {
    expect(classifyCollection({ duration: 1, detail: { kind, flags } })).toEqual({ action, cause, gc })
  })

  it.each([undefined, null, 5, {}])('is recorded if its detail is %j', (detail) => {
    expect(classifyCollection({ duration: 1, detail })).toEqual({
      action: 'unknown',
      cause: 'allocation',
      gc: 'unknown',
    })
  })
})
