import { isPromise } from '../../base/callback.ts'
import { invalidOption } from '../../base/errors.ts'
import type { Meter } from '../../metrics/meter.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { Tags } from '../../metrics/series/tags.ts'
import { replaceMethod } from '../replaced-method.ts'
import { combineUnsubscribes } from '../unsubscribes.ts'

/** A cache with `get` and `set`, such as an lru-cache, node-cache, quick-lru, lru.min, toad-cache, Keyv, cache-manager or a `Map`. */
export interface MeasurableCache {
  get: unknown
  set: unknown
  has?: unknown
  readonly size?: unknown
  getStats?: unknown
}

/**
 * Measures a cache by the names of Micrometer, with the tags `cache` and `name`. The counter `cache.gets` has the tag
 * `result`, `hit` or `miss`: `undefined` is a miss, and so is the `null` of a promise. `cache.puts` counts values that
 * are set. The gauge `cache.size` requires a `size` of the cache, and the counter `cache.evictions` also its `has`: it
 * counts entries that a `set` or `get` removed because of a limit or their age. Returns a function that stops measuring
 * and removes the meters.
 *
 * @throws TypeError if the cache has no `get` and `set`, or for an empty name.
 */
export function cacheMeters(meters: MeterRegistry, name: string, cache: MeasurableCache): () => void {
  if (typeof name !== 'string' || name === '') throw invalidOption('cacheMeters: name: expected a non-empty string')
  if (!isCache(cache)) throw invalidOption('cacheMeters: cache: expected an object with "get" and "set"')
  return measureCache(meters, { cache: name, name }, cache)
}

/** Measures a cache that has `get` and `set`. Returns a function that stops measuring and removes the meters. */
export function measureCache(meters: MeterRegistry, tags: Tags, cache: MeasurableCache): () => void {
  const gets = (result: 'hit' | 'miss') =>
    meters.counter('cache.gets', { ...tags, result }, { description: 'Gets that found a value, or did not' })
  const hits = gets('hit')
  const misses = gets('miss')
  const puts = meters.counter('cache.puts', tags, { description: 'Values that were added or replaced' })
  const made: Meter[] = [hits, misses, puts]
  const size = sizeOf(cache)
  if (size !== undefined) made.push(meters.gauge('cache.size', tags, size, { description: 'Entries in the cache' }))
  const { has } = cache
  const events = isExpiring(cache) ? cache : undefined
  const isBounded = events === undefined && size !== undefined && typeof has === 'function'
  const evictions =
    isBounded || events !== undefined
      ? meters.counter('cache.evictions', tags, { description: 'Entries removed because of a limit or their age' })
      : undefined
  if (evictions !== undefined) made.push(evictions)

  const countResult = (isHit: boolean) => (isHit ? hits : misses).increment()
  /** Counts entries that are missing although they were not deleted. */
  const countEvictions = (expectedSize: number) => {
    const missing = expectedSize - (size?.() ?? Number.NaN)
    if (isBounded && missing > 0) evictions?.increment(missing)
  }
  const countExpiry = () => evictions?.increment()
  events?.on('expired', countExpiry)
  const unwatch = combineUnsubscribes([
    replaceMethod(cache, 'get', (get, self, args) => {
      const before = size?.() ?? Number.NaN
      const value = get.apply(self, args)
      if (isPromise(value)) {
        // Not `value` is returned, whose rejection would otherwise count as handled.
        return value.then((result) => {
          countResult(result !== undefined && result !== null)
          return result
        })
      }
      countResult(value !== undefined)
      countEvictions(before)
      return value
    }),
    replaceMethod(cache, 'set', (set, self, args) => {
      // lru-cache deletes the entry if the value is undefined.
      const isStored = isBounded && args[1] !== undefined
      const isNew = isStored && typeof has === 'function' && has.call(cache, args[0]) !== true
      const before = isStored ? (size?.() ?? Number.NaN) : Number.NaN
      const result = set.apply(self, args)
      puts.increment()
      countEvictions(isNew ? before + 1 : before)
      return result
    }),
  ])
  return () => {
    unwatch()
    events?.off('expired', countExpiry)
    for (const meter of made) meters.remove(meter)
  }
}

/** Returns a function that returns the number of entries; `undefined` if the cache does not count them. */
function sizeOf(cache: MeasurableCache): (() => number) | undefined {
  if (typeof cache.size === 'number') return () => Number(cache.size)
  const { getStats } = cache
  if (typeof getStats !== 'function') return undefined
  return () => {
    const stats: unknown = getStats.call(cache)
    return typeof stats === 'object' && stats !== null && 'keys' in stats ? Number(stats.keys) : Number.NaN
  }
}

interface ExpiryEvents {
  on(event: 'expired', listener: () => void): unknown
  off(event: 'expired', listener: () => void): unknown
}

/** Whether a cache is a node-cache, which emits `expired` for each entry that it removes because of its age. */
function isExpiring(cache: object): cache is ExpiryEvents {
  const isFunction = (name: string) => typeof Reflect.get(cache, name) === 'function'
  return isFunction('getStats') && isFunction('on') && isFunction('off')
}

export function isCache(cache: unknown): cache is MeasurableCache {
  if (typeof cache !== 'object' || cache === null) return false
  return 'get' in cache && typeof cache.get === 'function' && 'set' in cache && typeof cache.set === 'function'
}
