import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Health, HealthCheck } from '../indicator.ts'
import type { Checkup } from './checkup.ts'
import { createHearing } from './hearing.ts'
import { runCheck } from './run-check.ts'
import { downBecause } from './to-health.ts'

/** How many deadlines a check that went past its own may hold back the next one, should it never end. */
const patience = 10

/** What was found out the last time. */
export interface Result {
  readonly health: Health
  /** The monotonic time at which it was found out. */
  readonly at: number
  /** Whether the check was run for it; it is not while an earlier one has not let go. */
  readonly isAnswer: boolean
}

/** One component's check, of which one runs at a time. */
export interface Asking {
  readonly latest: () => Result | undefined
  /**
   * From the check under way, or from a new one. While the last one, past its deadline, has not let go, the component is
   * `DOWN` at once; each further deadline of that kind is a failure of its own.
   */
  readonly ask: (now: number) => MaybePromise<Health>
}

export interface AskingOptions {
  readonly path: string
  readonly check: HealthCheck
  readonly timeoutMilliseconds: number
  /** Makes of each result, in their order, what the component's health is. */
  readonly judge: (health: Health) => Health
}

export function createAsking({ path, check, timeoutMilliseconds, judge }: AskingOptions, checkup: Checkup): Asking {
  const { clock, places, endings } = checkup
  const hear = createHearing()
  let pending: Promise<Health> | undefined
  let latest: Result | undefined
  let running: { readonly since: number } | undefined
  let heldBackUntil = Number.NEGATIVE_INFINITY

  async function runOnce(since: number): Promise<Health> {
    const run = { since }
    running = run
    const { health, ended } = runCheck(check, timeoutMilliseconds, { hear, places, endings, observe, clock })
    void ended.then(() => {
      if (running !== run) return
      running = undefined
      heldBackUntil = Number.NEGATIVE_INFINITY
    })
    const found = await health
    pending = undefined
    return keep(found, clock.monotonicTime(), true)
  }

  function observe({ status }: Health, milliseconds: number): void {
    checkup.observe({ component: path, status, seconds: milliseconds / 1_000 })
  }

  function keep(found: Health, at: number, isAnswer: boolean): Health {
    const health = judge(found)
    const before = latest?.health.status
    latest = { health, at, isAnswer }
    if (health.status !== before) checkup.changed()
    return health
  }

  return {
    latest: () => latest,
    ask(now) {
      if (pending !== undefined) return pending
      if (running !== undefined && now - running.since < patience * timeoutMilliseconds) {
        if (now < heldBackUntil && latest !== undefined) return latest.health
        heldBackUntil = now + timeoutMilliseconds
        return keep(downBecause(new DOMException('an earlier check has not ended yet', 'TimeoutError')), now, false)
      }
      pending = runOnce(now)
      return pending
    },
  }
}
