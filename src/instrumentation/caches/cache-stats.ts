import type { Meter } from '../../metrics/meter.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { Tags } from '../../metrics/series/tags.ts'

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
export function measureStats(meters: MeterRegistry, tags: Tags, read: () => CacheStats | undefined): () => void {
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
