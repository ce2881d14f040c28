import Keyv from 'keyv'
import { LRUCache } from 'lru-cache'
import NodeCache from 'node-cache'
import { createCaches } from 'upkeep/instrumentation'
import { createMeterRegistry, type MeterRegistry } from 'upkeep/metrics'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

/** Returns the values of the meters of one cache by `result`, or else by name. */
function valuesOf(meters: MeterRegistry): Record<string, number> {
  const found = [...meters.snapshot()].map((meter) => {
    const result = meter.id.tags.find(({ key }) => key === 'result')?.value
    return [result ?? meter.id.name.slice('cache.'.length), 'value' in meter ? meter.value : Number.NaN]
  })
  return Object.fromEntries(found)
}

function setUp() {
  const meters = createMeterRegistry()
  const caches = createCaches()
  const stop = caches.measure(meters)
  return { meters, caches, stop, values: () => valuesOf(meters) }
}

describe('a registered cache', () => {
  it('of lru-cache is measured and cleared', async () => {
    const { caches, values, meters } = setUp()
    const cache = new LRUCache<string, number>({ max: 2 })
    caches.add('prices', cache)
    for (const key of ['a', 'b', 'c']) cache.set(key, 1)
    expect([cache.get('c'), cache.get('a')]).toEqual([1, undefined])
    expect(values()).toEqual({ hit: 1, miss: 1, puts: 3, evictions: 1, size: 2 })
    const [meter] = [...meters.snapshot('cache.size')]
    expect(meter?.id.tags).toEqual([
      { key: 'cache', value: 'prices' },
      { key: 'cache.manager', value: 'cacheManager' },
      { key: 'name', value: 'prices' },
    ])
    const [shown] = caches.list()
    expect(shown).toMatchObject({ manager: 'cacheManager', name: 'prices', target: 'LRUCache' })
    await shown?.clear()
    expect(cache.size).toBe(0)
  })

  it('of node-cache is measured, with expired entries as evictions, and cleared', () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { caches, values } = setUp()
    const cache = new NodeCache({ checkperiod: 0 })
    onTestFinished(() => cache.close())
    caches.add('prices', cache)
    cache.set('a', 1, 1)
    cache.set('b', 1)
    expect([cache.get('a'), cache.get('c')]).toEqual([1, undefined])
    vi.setSystemTime(Date.now() + 2_000)
    expect(cache.get('a')).toBeUndefined()
    expect(values()).toEqual({ hit: 1, miss: 2, puts: 2, evictions: 1, size: 1 })
    cache.del('b')
    expect(values()).toMatchObject({ evictions: 1, size: 0 })
    cache.set('d', 1)
    caches.list()[0]?.clear()
    expect(cache.keys()).toEqual([])
  })

  it('of keyv is measured and cleared', async () => {
    const { caches, values } = setUp()
    const cache = new Keyv()
    caches.add('prices', cache)
    await cache.set('a', 1)
    expect([await cache.get('a'), await cache.get('b')]).toEqual([1, undefined])
    expect(values()).toEqual({ hit: 1, miss: 1, puts: 1 })
    await caches.list()[0]?.clear()
    expect(await cache.get('a')).toBeUndefined()
  })

  it('of another shape is measured by its stats', () => {
    const { caches, values } = setUp()
    let hits = 1
    const clear = vi.fn()
    caches.add('geo', { clear, stats: () => ({ hits, misses: 2, size: 3 }) })
    hits += 4
    expect(values()).toEqual({ hit: 5, miss: 2, size: 3 })
    caches.list()[0]?.clear()
    expect(clear).toHaveBeenCalledOnce()
  })

  it('without stats has no meters', () => {
    const { caches, values } = setUp()
    caches.add('geo', { clear: () => {} })
    expect(values()).toEqual({})
  })

  it('is measured also if it was added before, until it is removed', () => {
    const meters = createMeterRegistry()
    const caches = createCaches()
    const cache = new Map<string, number>()
    const remove = caches.add('prices', cache)
    const stop = caches.measure(meters)
    cache.get('a')
    expect(valuesOf(meters)).toMatchObject({ miss: 1 })
    remove()
    expect(valuesOf(meters)).toEqual({})
    expect(caches.list()).toEqual([])
    caches.add('prices', cache)
    expect(valuesOf(meters)).toMatchObject({ miss: 0 })
    stop()
    expect(valuesOf(meters)).toEqual({})
    expect(Object.hasOwn(cache, 'get')).toBe(false)
  })

  it('replaces one of the same name and manager', () => {
    const { caches } = setUp()
    const removeFirst = caches.add('prices', new Map())
    caches.add('prices', new LRUCache({ max: 1 }))
    caches.add('prices', new Map(), { manager: 'other' })
    removeFirst()
    expect(caches.list().map(({ manager, target }) => [manager, target])).toEqual([
      ['cacheManager', 'LRUCache'],
      ['other', 'Map'],
    ])
  })

  it.each<[string, unknown, string]>([
    ['', new Map(), 'caches.add: name: expected a non-empty string without a slash, received ""'],
    ['a/b', new Map(), 'caches.add: name: expected a non-empty string without a slash, received "a/b"'],
    ['a', {}, 'caches.add: cache: expected an object with a function "clear" or "flushAll", received an object'],
    ['a', 5, 'caches.add: cache: expected an object with a function "clear" or "flushAll", received 5'],
  ])('is rejected as %j, %j', (name, cache, message) => {
    expect(() => createCaches().add(name, cache as never)).toThrow(new TypeError(message))
  })
})
