import type { HealthSource } from './health-source.ts'
import type { SingleFlight } from './single-flight.ts'

/**
 * Creates the health of a component whose check runs on request, unless its latest result is younger than the cache.
 */
export function createCachedCheck({ check, latest }: SingleFlight, cacheMilliseconds: number): HealthSource {
  return {
    check(now) {
      const result = latest()
      const isFresh = result?.isCacheable === true && now - result.at < cacheMilliseconds
      return isFresh ? result.health : check(now)
    },
    latest: () => latest()?.health,
    run: check,
  }
}
