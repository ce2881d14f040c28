import { thenNow } from '../../base/maybe-promise.ts'
import { setUnrefTimeout } from '../../base/timers.ts'
import type { Health } from '../indicator.ts'
import { healthOfError } from './check-result.ts'
import type { CheckRunner } from './check-runner.ts'
import type { HealthSource } from './health-source.ts'
import type { Result, SingleFlight } from './single-flight.ts'

interface BackgroundCheckOptions {
  /** The time from one result to the next run. */
  readonly refreshMilliseconds: number
  /** The age from which on the latest result is reported as `DOWN`. */
  readonly staleMilliseconds: number
}

/**
 * Creates the health of a component whose check runs in the background, for the first time in the next turn of the
 * event loop. The timer does not keep the process alive. Callers wait for the first result only, later the latest
 * result is returned synchronously. After the management is closed the check runs on request only.
 */
export function createBackgroundCheck(
  { check, latest }: SingleFlight,
  { refreshMilliseconds, staleMilliseconds }: BackgroundCheckOptions,
  { clock, cancellers, onStatusChange }: CheckRunner,
): HealthSource {
  let isClosed = false
  let stale: { readonly result: Result; readonly health: Health; isReported: boolean } | undefined

  let timer = setUnrefTimeout(refresh, 0)
  cancellers.add(() => {
    isClosed = true
    clearTimeout(timer)
  })

  function refresh(): void {
    void thenNow(check(clock.monotonicTime()), () => {
      if (!isClosed) timer = setUnrefTimeout(refresh, refreshMilliseconds)
    })
  }

  /** Returns `DOWN` for a result that is too old, the same object each time. */
  function healthOf(result: Result, now: number): Health {
    if (isClosed || now - result.at < staleMilliseconds) return result.health
    if (stale?.result !== result) {
      const reason = `the latest result, ${result.health.status}, is older than ${staleMilliseconds} ms`
      stale = { result, health: healthOfError(new DOMException(reason, 'TimeoutError')), isReported: false }
    }
    return stale.health
  }

  return {
    check(now) {
      const result = latest()
      if (result === undefined || (isClosed && now - result.at >= refreshMilliseconds)) return check(now)
      const health = healthOf(result, now)
      if (health === result.health) return health
      if (stale?.isReported === false) {
        stale.isReported = true
        onStatusChange()
      }
      // The background timer is late, for example because the process was frozen.
      void check(now)
      return health
    },
    latest(now) {
      const result = latest()
      return result && healthOf(result, now)
    },
    run: check,
  }
}
