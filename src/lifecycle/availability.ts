import { notify } from '../base/callback.ts'
import { describeError } from '../base/error-text.ts'
import type { Report } from '../base/report.ts'
import type { Health, StateIndicator } from '../health/indicator.ts'
import { createStartup, type StartupTaskListener } from './startup.ts'

/** Whether the application is alive and ready to accept traffic, as its probes report it. */
export interface Availability {
  /** `BROKEN` if the application must be restarted. */
  readonly liveness: Liveness
  readonly readiness: Readiness
  /** Accepts traffic, unless a start-up task is pending or has failed. */
  acceptTraffic(): void
  /** Refuses traffic until `acceptTraffic()`: the readiness probe responds with 503. */
  refuseTraffic(reason?: string): void
  /**
   * Refuses traffic until a start-up task has completed. Any number of tasks may be pending. If one rejects, the
   * application stays out of service with the error as the reason, unless a later task of the same name succeeds.
   */
  addStartupTask(task: PromiseLike<unknown>, name: string): void
  /** Refuses traffic permanently, because the application is shutting down. Does not change liveness. */
  beginShutdown(reason?: string): void
  /**
   * Marks the application as broken: the liveness probe responds with 503, so that the orchestrator restarts the
   * instance.
   */
  markBroken(error?: unknown): void
  /**
   * Registers a listener for changes of liveness and readiness. Returns an unsubscribe function. A listener that throws
   * or rejects is reported.
   */
  onChange(listener: (change: AvailabilityChange) => unknown): () => void
}

/** Whether the process works; one that is `BROKEN` must be restarted. */
export type Liveness = 'CORRECT' | 'BROKEN'
/** Whether the application accepts requests. */
export type Readiness = 'ACCEPTING_TRAFFIC' | 'REFUSING_TRAFFIC'

/** A change of liveness or readiness, and the new state. */
export type AvailabilityChange =
  | { readonly kind: 'liveness'; readonly state: Liveness }
  | { readonly kind: 'readiness'; readonly state: Readiness }

/** The availability of an application, and the indicators that report it. */
export interface AvailabilityStates {
  readonly availability: Availability
  readonly livenessState: StateIndicator
  readonly readinessState: StateIndicator
  /** Calls the listener with each start-up task. Returns an unsubscribe function. */
  readonly onStartupTask: (listener: StartupTaskListener) => () => void
  readonly isShuttingDown: () => boolean
}

const up: Health = { status: 'UP' }

/** Creates the availability of an application, which accepts traffic until a start-up task is added. */
export function createAvailability(report: Report): AvailabilityStates {
  const startup = createStartup(notifyOfChanges, report)
  const listeners = new Set<{ readonly listener: (change: AvailabilityChange) => unknown }>()
  let livenessHealth = up
  let requestedHealth = up
  let shutdownHealth: Health | undefined
  let notified = { liveness: liveness(), readiness: readiness() }

  function liveness(): Liveness {
    return livenessHealth === up ? 'CORRECT' : 'BROKEN'
  }

  function readinessHealth(): Health {
    return shutdownHealth ?? startup.health() ?? requestedHealth
  }

  function readiness(): Readiness {
    return readinessHealth() === up ? 'ACCEPTING_TRAFFIC' : 'REFUSING_TRAFFIC'
  }

  function notifyOfChanges(): void {
    const before = notified
    notified = { liveness: liveness(), readiness: readiness() }
    if (before.liveness !== notified.liveness) notifyAll({ kind: 'liveness', state: notified.liveness })
    if (before.readiness !== notified.readiness) notifyAll({ kind: 'readiness', state: notified.readiness })
  }

  function notifyAll(change: AvailabilityChange): void {
    for (const { listener } of [...listeners]) {
      notify(listener, [change], (error) => report(`availability: a listener failed for ${change.kind}`, error))
    }
  }

  const availability: Availability = {
    get liveness() {
      return liveness()
    },
    get readiness() {
      return readiness()
    },
    acceptTraffic() {
      requestedHealth = up
      notifyOfChanges()
    },
    refuseTraffic(reason) {
      requestedHealth = outOfService(reason)
      notifyOfChanges()
    },
    addStartupTask(task, name) {
      startup.add(task, name)
      notifyOfChanges()
    },
    beginShutdown(reason) {
      shutdownHealth ??= outOfService(reason ?? 'shutting down')
      notifyOfChanges()
    },
    markBroken(error) {
      livenessHealth = { status: 'DOWN', ...(error !== undefined && { details: { error: describeError(error) } }) }
      notifyOfChanges()
    },
    onChange(listener) {
      const entry = { listener }
      listeners.add(entry)
      return () => void listeners.delete(entry)
    },
  }
  return {
    availability,
    livenessState: { state: () => livenessHealth },
    readinessState: { state: readinessHealth },
    onStartupTask: startup.onTask,
    isShuttingDown: () => shutdownHealth !== undefined,
  }
}

function outOfService(reason: string | undefined): Health {
  return { status: 'OUT_OF_SERVICE', ...(reason !== undefined && { details: { reason } }) }
}
