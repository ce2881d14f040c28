import { notify } from '../base/callback.ts'
import { describeError } from '../base/error-text.ts'
import type { Report } from '../base/report.ts'
import type { Health, StateIndicator } from '../health/indicator.ts'

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

/** Called when a start-up task is added. Returns a function that is called when the task settles. */
type StartupTaskListener = (name: string) => (failed: boolean) => void

/** The tasks that must complete before the application accepts traffic. */
interface Startup {
  /** Adds a task. It replaces a failed task of the same name. */
  add(task: PromiseLike<unknown>, name: string): void
  /** Calls the listener when a task is added, and its result when the task settles. Returns an unsubscribe function. */
  onTask(listener: StartupTaskListener): () => void
  /** Returns the reason why the application is not ready, failed tasks first, or `undefined` if it is. */
  health(): Health | undefined
}

/** Creates the start-up of an application. `changed` is called when a task settles. */
function createStartup(changed: () => void, report: Report): Startup {
  const pending = new Set<{ readonly name: string }>()
  const failed = new Map<string, unknown>()
  const listeners = new Set<StartupTaskListener>()

  return {
    add(promise, name) {
      const task = { name }
      pending.add(task)
      failed.delete(name)
      const ends = [...listeners].map((listener) => listener(name))
      Promise.resolve(promise).then(
        () => {
          pending.delete(task)
          for (const end of ends) end(false)
          changed()
        },
        (error: unknown) => {
          pending.delete(task)
          failed.set(name, error)
          for (const end of ends) end(true)
          report(`start-up task ${name} failed: the application does not accept traffic`, error)
          changed()
        },
      )
    },
    onTask(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    health() {
      for (const [name, error] of failed) {
        return outOfService(`start-up task ${name} failed`, { error: describeError(error) })
      }
      if (pending.size === 0) return undefined
      return outOfService(`waiting for ${[...pending].map(({ name }) => name).join(', ')}`)
    },
  }
}

function outOfService(reason: string | undefined, more: Readonly<Record<string, string>> = {}): Health {
  return { status: 'OUT_OF_SERVICE', ...(reason !== undefined && { details: { reason, ...more } }) }
}
