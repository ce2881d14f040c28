import type { Health, HealthCheck } from './indicator.ts'
import { downBecause, toHealth } from './to-health.ts'

/** A timer that is set for longer goes off at once. */
const longestTimer = 2 ** 31 - 1

/** A check under way: its answer, which comes by the deadline, and its end, which may come later or never. */
export interface RunningCheck {
  /** Never rejects: a check that fails, is late or answers rubbish is `DOWN` with `details.error`. */
  readonly health: Promise<Health>
  /** Resolves when the check itself settles, whatever became of it. */
  readonly ended: Promise<void>
}

/** Runs a check once. At the deadline its signal aborts, and what it says afterwards is not heard. */
export function runCheck(check: HealthCheck, timeoutMilliseconds: number): RunningCheck {
  const controller = new AbortController()
  const answer = new Promise<unknown>((resolve) => resolve(check(controller.signal)))
  const judged = answer.then(toHealth).catch(downBecause)
  const late = new Promise<Health>((resolve) => {
    const deadline = setTimeout(
      () => {
        const reason = new DOMException(`no answer within ${timeoutMilliseconds} ms`, 'TimeoutError')
        resolve(downBecause(reason))
        controller.abort(reason)
      },
      Math.min(timeoutMilliseconds, longestTimer),
    )
    deadline.unref?.()
    void judged.then(() => clearTimeout(deadline))
  })
  return { health: Promise.race([judged, late]), ended: judged.then(() => {}) }
}
