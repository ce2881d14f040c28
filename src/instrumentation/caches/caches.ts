import { describeValue } from '../../base/describe-value.ts'
import { invalidArgument } from '../../base/errors.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import { isAddressable } from '../../http/router.ts'
import type { Meter } from '../../metrics/meter.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { Tags } from '../../metrics/series/tags.ts'
import { isCache, type MeasurableCache, measureCache } from './cache-meters.ts'

/** A cache that is cleared by `clear`, such as an lru-cache, Keyv or a `Map`, or by `flushAll`, a node-cache. */
export type ClearableCache = MeasurableCache & ({ clear(): unknown } | { flushAll(): unknown })

/** A cache of another shape, for the endpoint `caches`. */
export interface CustomCache {
  /** Removes all entries. */
  clear(): unknown
  /** Returns what the cache has counted. @default it has no meters */
  stats?(): CacheStats
}

/** Options of `Caches.add`. */
export interface AddCacheOptions {
  /** The group of caches to which it belongs. @default 'cacheManager' */
  readonly manager?: string | undefined
}

/** A registered cache. */
export interface RegisteredCache {
  readonly manager: string
  readonly name: string
  /** The name of its class. */
  readonly target: string
  /** Removes all entries. */
  clear(): unknown
}

/**
 * The caches of an application. The option `caches` of `createManagement` shows them at `caches`, clears them, and
 * measures them.
 */
export interface Caches {
  /**
   * Registers a cache. One of the same name and manager is replaced. Returns a function that removes it.
   *
   * @throws TypeError for an unknown cache, or a name that is empty or contains a slash.
   */
  add(name: string, cache: ClearableCache | CustomCache, options?: AddCacheOptions): () => void
  /** Returns all caches, in the order in which they were added. */
  list(): readonly RegisteredCache[]
  /**
   * Measures all caches, as `cacheMeters` does, with the additional tag `cache.manager`. Returns a function that stops
   * it and removes the meters. Called by `createManagement`.
   */
  measure(meters: MeterRegistry): () => void
}

const defaultManager = 'cacheManager'

/** Measures a cache. Returns a function that stops it. */
type Measure = (meters: MeterRegistry) => () => void

interface Entry {
  readonly shown: RegisteredCache
  readonly measure: Measure
  /** The functions that end the measurements. */
  readonly ends: Map<MeterRegistry, () => void>
}

/** Creates an empty registry of caches. */
export function createCaches(): Caches {
  const entries = new Map<string, Entry>()
  const registries = new Set<MeterRegistry>()

  function remove(key: string, entry: Entry | undefined): void {
    if (entry === undefined || entries.get(key) !== entry) return
    entries.delete(key)
    for (const end of entry.ends.values()) end()
  }

  return {
    add(name, cache, options = {}) {
      requireKnownOptions('caches.add', options, ['manager'], { foreignNames: { cacheManager: 'manager' } })
      const { manager = defaultManager } = options
      const entry = createEntry(requireName('name', name), requireName('manager', manager), cache)
      const key = `${manager}/${name}`
      remove(key, entries.get(key))
      entries.set(key, entry)
      for (const meters of registries) entry.ends.set(meters, entry.measure(meters))
      return () => remove(key, entry)
    },
    list: () => [...entries.values()].map(({ shown }) => shown),
    measure(meters) {
      registries.add(meters)
      for (const { ends, measure } of entries.values()) ends.set(meters, measure(meters))
      return () => {
        registries.delete(meters)
        for (const { ends } of entries.values()) {
          ends.get(meters)?.()
          ends.delete(meters)
        }
      }
    },
  }
}

function createEntry(name: string, manager: string, cache: ClearableCache | CustomCache): Entry {
  const isObject = typeof cache === 'object' && cache !== null
  const clear = isObject ? clearingOf(cache) : undefined
  if (clear === undefined) {
    throw invalidArgument(
      `caches.add: cache: expected an object with a function "clear" or "flushAll", received ${describeValue(cache)}`,
    )
  }
  const tags = { cache: name, 'cache.manager': manager, name }
  return {
    shown: { manager, name, target: targetOf(cache), clear },
    measure: (meters) => {
      if (isCache(cache)) return measureCache(meters, tags, cache)
      return 'stats' in cache && cache.stats !== undefined
        ? measureStats(meters, tags, () => cache.stats?.())
        : () => {}
    },
    ends: new Map(),
  }
}

function clearingOf(cache: object): (() => unknown) | undefined {
  if ('clear' in cache && typeof cache.clear === 'function') return cache.clear.bind(cache)
  return 'flushAll' in cache && typeof cache.flushAll === 'function' ? cache.flushAll.bind(cache) : undefined
}

function targetOf(cache: object): string {
  // The class of lru-cache is minified, and has its name as a tag.
  const tag: unknown = Symbol.toStringTag in cache ? cache[Symbol.toStringTag] : undefined
  if (typeof tag === 'string' && tag !== '') return tag
  const { name } = cache.constructor ?? Object
  return name === '' ? 'Object' : name
}

function requireName(what: string, name: unknown): string {
  if (typeof name === 'string' && isAddressable(name)) return name
  throw invalidArgument(
    `caches.add: ${what}: expected a non-empty string without a slash, received ${describeValue(name)}`,
  )
}

/** What a cache has counted since it was created. Members that it does not count are omitted. */
export interface CacheStats {
  readonly hits?: number | undefined
  readonly misses?: number | undefined
  readonly puts?: number | undefined
  readonly evictions?: number | undefined
  /** The entries in the cache. */
  readonly size?: number | undefined
}

/** Measures a cache by its own counts, those that it has now. Returns a function that removes the meters. */
function measureStats(meters: MeterRegistry, tags: Tags, read: () => CacheStats | undefined): () => void {
  const made: Meter[] = []
  const first = read() ?? {}
  const counter = (member: keyof CacheStats, name: string, result: Tags, description: string) => {
    if (first[member] === undefined) return
    const value = () => read()?.[member] ?? Number.NaN
    made.push(meters.functionCounter(name, { ...tags, ...result }, value, { description }))
  }
  counter('hits', 'cache.gets', { result: 'hit' }, 'Gets that found a value, or did not')
  counter('misses', 'cache.gets', { result: 'miss' }, 'Gets that found a value, or did not')
  counter('puts', 'cache.puts', {}, 'Values that were added or replaced')
  counter('evictions', 'cache.evictions', {}, 'Entries removed because of a limit or their age')
  if (first.size !== undefined) {
    const size = () => read()?.size ?? Number.NaN
    made.push(meters.gauge('cache.size', tags, size, { description: 'Entries in the cache' }))
  }
  return () => {
    for (const meter of made) meters.remove(meter)
  }
}
