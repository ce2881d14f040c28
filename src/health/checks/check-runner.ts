import { onlyFirst } from '../../base/callback.ts'
import type { Clock } from '../../base/clock.ts'
import { contain, type Report } from '../../base/report.ts'
import type { Health, HealthCheck } from '../indicator.ts'
import type { Status } from '../status.ts'
import { CheckRun } from './check-run.ts'
import { createConcurrencyLimit, unlimited } from './concurrency-limit.ts'
import type { InvokeCheck } from './invoke-check.ts'

/** A completed run of a check. */
export interface CompletedCheck {
  /** The path of the component, such as `db/primary`. */
  readonly component: string
  readonly status: Status
  readonly seconds: number
}

/** When a check ran, and for how long. */
export interface CheckTime {
  /** The monotonic time at which its result was known. */
  readonly endedAt: number
  readonly seconds: number
}

/** Which check to run, and for how long. */
interface RunRequest {
  /** The path of the component. */
  readonly path: string
  readonly check: HealthCheck
  readonly timeoutMilliseconds: number
  readonly invoke: InvokeCheck
}

/** Runs the checks of one application. */
export interface CheckRunner {
  readonly clock: Clock
  /** Prepares a run of a check; its `start()` queues it. */
  readonly createRun: (request: RunRequest) => CheckRun
  /** Cancels what is active: runs, and timers in the background. Called when the management is closed. */
  readonly cancellers: Set<(reason: DOMException) => void>
  /** The latest run of each check, by the path of its component. */
  readonly latestRuns: ReadonlyMap<string, CheckTime>
  /** Called when the status of a component has changed. Never throws. */
  readonly onStatusChange: () => void
}

export interface CheckRunnerOptions {
  readonly clock: Clock
  readonly report: Report
  readonly onStatusChange?: () => void
  /** How many checks may run at once. @default Infinity */
  readonly concurrency?: number | undefined
  /** From which duration on a check is reported as slow. @default 1000 */
  readonly slowMilliseconds?: number | undefined
  /** Called with each completed run of a check. */
  readonly onCheck?: ((check: CompletedCheck) => void) | undefined
}

export function createCheckRunner({
  clock,
  report: unsafeReport,
  onStatusChange = () => {},
  concurrency = Number.POSITIVE_INFINITY,
  slowMilliseconds = 1_000,
  onCheck = () => {},
}: CheckRunnerOptions): CheckRunner {
  const report = contain(unsafeReport)
  const limit = concurrency === Number.POSITIVE_INFINITY ? unlimited : createConcurrencyLimit(concurrency)
  const cancellers = new Set<(reason: DOMException) => void>()
  const latestRuns = new Map<string, CheckTime>()
  const reportedAsSlow = new Set<string>()
  const reportRecordingError = onlyFirst((error) => report('failed to record health.check', error))

  function record(component: string, { status }: Health, milliseconds: number): void {
    reportSlowCheck(component, status, milliseconds)
    const seconds = milliseconds / 1_000
    latestRuns.set(component, { endedAt: clock.monotonicTime(), seconds })
    try {
      onCheck({ component, status, seconds })
    } catch (error) {
      reportRecordingError(error)
    }
  }

  /** Reports a slow check once, and again after it has been fast. */
  function reportSlowCheck(component: string, status: Status, milliseconds: number): void {
    if (milliseconds < slowMilliseconds) reportedAsSlow.delete(component)
    else if (!reportedAsSlow.has(component)) {
      reportedAsSlow.add(component)
      report(`health: ${component} is slow: the check took ${Math.round(milliseconds)} ms and returned ${status}`)
    }
  }

  return {
    clock,
    cancellers,
    latestRuns,
    onStatusChange,
    createRun: ({ path, ...request }) =>
      new CheckRun({
        ...request,
        limit,
        cancellers,
        clock,
        onResult: (health, milliseconds) => record(path, health, milliseconds),
      }),
  }
}
