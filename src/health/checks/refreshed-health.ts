import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import { thenNow } from '../../base/maybe-promise.ts'
import { setUnrefTimeout } from '../../base/timers.ts'
import type { Health } from '../indicator.ts'
import type { Asking, Result } from './asking.ts'
import type { Checkup } from './checkup.ts'
import type { KnownHealth } from './known-health.ts'
import { downBecause } from './to-health.ts'

export interface RefreshOptions {
  readonly path: string
  readonly refresh: Duration
  readonly staleAfter: Duration | undefined
  readonly timeoutMilliseconds: number
}

/**
 * The health of a component that is asked in the background, from the next turn of the event loop on, by a timer that
 * keeps no process alive. Who asks before the first answer waits for it; later nobody waits. Once it is ended, the
 * component is asked again only when somebody wants to know.
 */
export function createRefreshedHealth(
  { ask, latest }: Asking,
  { path, refresh, staleAfter, timeoutMilliseconds }: RefreshOptions,
  { clock, endings, changed }: Checkup,
): KnownHealth {
  const every = durationMilliseconds(refresh, `The refresh of the health indicator ${path}`)
  if (every === 0) throw new RangeError(`The refresh of the health indicator ${path} must not be nothing`)
  const longest =
    staleAfter === undefined
      ? 3 * (every + timeoutMilliseconds)
      : durationMilliseconds(staleAfter, `The staleAfter of the health indicator ${path}`)
  if (longest < every) {
    throw new RangeError(
      `The staleAfter of the health indicator ${path} must not be shorter than its refresh, ${refresh}, but was ${staleAfter}`,
    )
  }
  let isEnded = false
  let stale: { readonly result: Result; readonly health: Health } | undefined
  let publicErrorOf: Result | undefined

  let timer = setUnrefTimeout(turn, 0)
  endings.add(() => {
    isEnded = true
    clearTimeout(timer)
  })

  function turn(): void {
    void thenNow(ask(clock.monotonicTime()), () => {
      if (!isEnded) timer = setUnrefTimeout(turn, every)
    })
  }

  function judgeAge(result: Result, now: number): Health {
    if (isEnded || now - result.at < longest) return result.health
    if (stale?.result !== result) {
      const reason = `the latest result, ${result.health.status}, is older than ${longest} ms`
      stale = { result, health: downBecause(new DOMException(reason, 'TimeoutError')) }
    }
    return stale.health
  }

  return {
    health(now) {
      const result = latest()
      if (result === undefined || (isEnded && now - result.at >= every)) return ask(now)
      const health = judgeAge(result, now)
      if (health === result.health) return health
      if (publicErrorOf !== result) {
        publicErrorOf = result
        changed()
      }
      // Something kept the background from asking: its next turn is not waited for.
      void ask(now)
      return health
    },
    known(now) {
      const result = latest()
      return result && judgeAge(result, now)
    },
  }
}
