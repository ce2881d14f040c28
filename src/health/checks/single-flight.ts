import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Health, HealthCheck } from '../indicator.ts'
import { healthOfError } from './check-result.ts'
import type { CheckRun } from './check-run.ts'
import type { CheckRunner } from './check-runner.ts'
import { createCheckInvoker } from './invoke-check.ts'

/** A check that hangs delays the next run of it by at most this number of timeouts. */
const maxTimeoutsToWait = 10

/** The latest result of a check. */
export interface Result {
  readonly health: Health
  /** The monotonic time at which the result was known. */
  readonly at: number
  /** Whether the check was run for this result, so that it may be cached. */
  readonly isCacheable: boolean
}

/** One component's check, of which at most one run is active. */
export interface SingleFlight {
  readonly latest: () => Result | undefined
  /**
   * Joins the active run, or starts one. Returns `DOWN` synchronously while a run that has timed out is still active.
   */
  readonly check: (now: number) => MaybePromise<Health>
}

interface SingleFlightOptions {
  /** The path of the component. */
  readonly path: string
  readonly check: HealthCheck
  readonly timeoutMilliseconds: number
  /** Converts each result, in order, to the component's health. */
  readonly applyTolerance: (health: Health) => Health
}

/**
 * The states of a check:
 *
 *              check()                timeout
 *     idle ──────────────▶ running ──────────────▶ hanging
 *      ▲                    │  ▲                    │   │
 *      │     check settles  │  │      check() after │   │
 *      ├────────────────────┘  │      10 timeouts   │   │
 *      │                       └────────────────────┘   │
 *      └────────────────────check settles───────────────┘
 *
 * - `running`: everyone who calls `check()` shares the promise of the one run.
 * - `hanging`: the run has timed out, and its check has not settled. Each timeout that passes is one more failure.
 */
type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly run: CheckRun; readonly since: number; readonly health: Promise<Health> }
  | { readonly kind: 'hanging'; readonly run: CheckRun; readonly since: number; readonly failsAgainAt: number }

const idle: State = { kind: 'idle' }

export function createSingleFlight(
  { path, check, timeoutMilliseconds, applyTolerance }: SingleFlightOptions,
  runner: CheckRunner,
): SingleFlight {
  const invoke = createCheckInvoker()
  let state: State = idle
  let latest: Result | undefined

  function start(since: number): Promise<Health> {
    const run = runner.createRun({ path, check, timeoutMilliseconds, invoke })
    const health = run.health.then((result) => {
      state = run.hasSettled ? idle : { kind: 'hanging', run, since, failsAgainAt: Number.NEGATIVE_INFINITY }
      return store(result, runner.clock.monotonicTime(), true)
    })
    state = { kind: 'running', run, since, health }
    void run.settled.then(() => {
      if (state.kind === 'hanging' && state.run === run) state = idle
    })
    run.start()
    return health
  }

  function store(result: Health, at: number, isCacheable: boolean): Health {
    const health = applyTolerance(result)
    const before = latest?.health.status
    latest = { health, at, isCacheable }
    if (health.status !== before) runner.onStatusChange()
    return health
  }

  return {
    latest: () => latest,
    check(now) {
      if (state.kind === 'running') return state.health
      if (state.kind === 'idle' || now - state.since >= maxTimeoutsToWait * timeoutMilliseconds) return start(now)
      if (now < state.failsAgainAt && latest !== undefined) return latest.health
      state = { ...state, failsAgainAt: now + timeoutMilliseconds }
      return store(healthOfError(new DOMException('the previous check has not completed', 'TimeoutError')), now, false)
    },
  }
}
