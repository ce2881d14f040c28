import { durationMilliseconds } from '../../base/duration.ts'
import type { CheckedIndicator } from '../indicator.ts'
import { createAsking } from './asking.ts'
import type { Checkup } from './checkup.ts'
import { createDamping } from './damping.ts'
import type { KnownHealth } from './known-health.ts'
import { createRefreshedHealth } from './refreshed-health.ts'

/**
 * The health of a component that has to be asked: from the cache, from the check under way, or from a new one; or, where
 * it is refreshed in the background, what was found out last. However many ask, one check runs at a time.
 *
 * @throws RangeError naming the option that is not what it may be.
 */
export function createCheckedHealth(indicator: CheckedIndicator, path: string, checkup: Checkup): KnownHealth {
  const { check, timeout = '5s', cache, refresh, staleAfter, tolerate } = indicator
  const timeoutMilliseconds = durationMilliseconds(timeout, `The timeout of the health indicator ${path}`)
  const judge = createDamping(tolerate, checkup.clock, path)
  checkup.endings.add(() => check.close?.())
  const asking = createAsking({ path, check, timeoutMilliseconds, judge }, checkup)

  if (refresh !== undefined) {
    if (cache !== undefined) {
      throw new RangeError(`The health indicator ${path} cannot have a cache beside refresh, which keeps its results`)
    }
    return createRefreshedHealth(asking, { path, refresh, staleAfter, timeoutMilliseconds }, checkup)
  }
  if (staleAfter !== undefined) {
    throw new RangeError(`The health indicator ${path} has staleAfter without refresh: nothing becomes stale`)
  }
  const cacheMilliseconds = durationMilliseconds(cache ?? '1s', `The cache of the health indicator ${path}`)
  return {
    health(now) {
      const latest = asking.latest()
      const isFresh = latest?.isAnswer === true && now - latest.at < cacheMilliseconds
      return isFresh ? latest.health : asking.ask(now)
    },
    known: () => asking.latest()?.health,
  }
}
