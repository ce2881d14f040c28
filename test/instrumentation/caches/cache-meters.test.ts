import { createLRU } from 'lru.min'
import { LRUCache } from 'lru-cache'
import { LruMap } from 'toad-cache'
import { cacheMeters, type MeasurableCache } from 'upkeep/instrumentation'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../support/manual-clock.ts'

/** A cache of two entries at most. */
interface Cache extends MeasurableCache {
  get(key: string): unknown
  set(key: string, value: number): unknown
  delete(key: string): unknown
}

function measure(cache: MeasurableCache) {
  const meters = createMeterRegistry()
  const stop = cacheMeters(meters, 'prices', cache)
  const values = () => {
    const found = [...meters.snapshot()].map((meter) => {
      const result = meter.id.tags.find(({ key }) => key === 'result')?.value
      return [result ?? meter.id.name.slice('cache.'.length), 'value' in meter ? meter.value : Number.NaN]
    })
    return Object.fromEntries(found)
  }
  return { meters, stop, values }
}

describe.each<[string, () => Cache]>([
  ['lru-cache', () => new LRUCache<string, number>({ max: 2 })],
  ['lru.min', () => withDelete(createLRU<string, number>({ max: 2 }))],
  ['toad-cache', () => new LruMap<number>(2)],
])('a cache of %s', (_name, create) => {
  it('counts hits, misses, puts and the size', () => {
    const cache = create()
    const { values, stop } = measure(cache)
    expect(values()).toMatchObject({ hit: 0, miss: 0, puts: 0, size: 0 })
    cache.set('a', 1)
    cache.set('a', 2)
    cache.set('b', 0)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([2, 0, undefined])
    expect(values()).toMatchObject({ hit: 2, miss: 1, puts: 3, size: 2 })
    stop()
    expect(values()).toEqual({})
    expect([cache.get('a'), cache.get('c')]).toEqual([2, undefined])
    expect(Object.hasOwn(cache, 'set')).toBe(_name === 'lru.min')
  })
})

function withDelete<C extends { get(key: string): unknown; set(key: string, value: number): unknown }>(cache: C) {
  return cache as C & { delete(key: string): unknown }
}

describe.each<[string, () => Cache]>([
  ['lru-cache', () => new LRUCache<string, number>({ max: 2 })],
  ['lru.min', () => withDelete(createLRU<string, number>({ max: 2 }))],
])('the evictions of %s', (_name, create) => {
  it('are the entries that the limit removes, not those that are replaced or deleted', () => {
    const cache = create()
    const { values } = measure(cache)
    cache.set('a', 1)
    cache.set('b', 2)
    cache.set('b', 3)
    cache.delete('a')
    cache.set('c', 4)
    expect(values()).toMatchObject({ evictions: 0, size: 2 })
    cache.set('d', 5)
    cache.set('e', 6)
    expect(values()).toMatchObject({ evictions: 2, size: 2 })
  })
})

describe('the evictions of lru-cache', () => {
  it('include an entry that is too old, when it is read or replaced', () => {
    const clock = createManualClock()
    clock.advance(1)
    const perf = { now: () => clock.monotonicTime() }
    const cache = new LRUCache<string, number>({ max: 2, ttl: 1_000, ttlResolution: 0, perf })
    const { values } = measure(cache)
    cache.set('a', 1)
    cache.set('b', 2)
    clock.advance(1_001)
    expect(cache.get('a')).toBeUndefined()
    expect(values()).toMatchObject({ miss: 1, evictions: 1, size: 1 })
    cache.set('b', 3)
    expect(values()).toMatchObject({ evictions: 2, size: 1 })
  })

  it('do not include an entry that is set to undefined, which deletes it', () => {
    const cache = new LRUCache<string, number>({ max: 2 })
    const { values } = measure(cache)
    cache.set('a', 1)
    cache.set('a', undefined)
    expect(values()).toMatchObject({ puts: 2, evictions: 0, size: 0 })
  })
})

describe('an asynchronous cache', () => {
  it('counts hits and misses when the promise resolves, and has no size', async () => {
    const stored = new Map<string, unknown>([['empty', null]])
    const cache = {
      get: async (key: string) => stored.get(key),
      set: async (key: string, value: unknown) => void stored.set(key, value),
    }
    const { values } = measure(cache)
    await cache.set('a', 1)
    expect([await cache.get('a'), await cache.get('b'), await cache.get('empty')]).toEqual([1, undefined, null])
    expect(values()).toEqual({ hit: 1, miss: 2, puts: 1 })
  })

  it('passes a rejection on, and counts nothing', async () => {
    const cache = { get: () => Promise.reject(new Error('away')), set: () => {} }
    const { values } = measure(cache)
    await expect(cache.get()).rejects.toThrow('away')
    expect(values()).toEqual({ hit: 0, miss: 0, puts: 0 })
  })
})

describe('cacheMeters', () => {
  it("has Micrometer's names and tags", () => {
    const { meters } = measure(new LRUCache({ max: 1 }))
    const described = [...meters.snapshot()].map(({ id, kind }) => [
      id.name,
      kind,
      id.tags.map(({ key, value }) => `${key}=${value}`).join(),
      id.baseUnit,
    ])
    expect(described).toEqual([
      ['cache.evictions', 'counter', 'cache=prices,name=prices', undefined],
      ['cache.gets', 'counter', 'cache=prices,name=prices,result=hit', undefined],
      ['cache.gets', 'counter', 'cache=prices,name=prices,result=miss', undefined],
      ['cache.puts', 'counter', 'cache=prices,name=prices', undefined],
      ['cache.size', 'gauge', 'cache=prices,name=prices', undefined],
    ])
  })

  it.each([[{}], [null], ['cache'], [new Set()], [{ get: 5, set: 5 }]])('rejects %j, which is not a cache', (cache) => {
    expect(() => cacheMeters(createMeterRegistry(), 'a', cache as never)).toThrow(
      new TypeError('cacheMeters: cache: expected an object with "get" and "set"'),
    )
  })

  it('rejects an empty name', () => {
    expect(() => cacheMeters(createMeterRegistry(), '', new Map())).toThrow(
      new TypeError('cacheMeters: name: expected a non-empty string'),
    )
  })
})
