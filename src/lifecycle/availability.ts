import { describeError } from '../base/error-text.ts'
import type { Report } from '../base/report.ts'
import type { Health, StateIndicator } from '../health/indicator.ts'
import { createStartup } from './startup.ts'

/** Whether the application is alive and whether it takes traffic: what it says, and what probes are told. */
export interface Availability {
  /** `BROKEN` when only a restart can help. */
  readonly liveness: Liveness
  readonly readiness: Readiness
  /** Takes traffic from now on, as far as it is for the application to say: a start-up task under way still holds it back. */
  acceptTraffic(): void
  /** Takes no traffic until `acceptTraffic()`: the readiness probe answers 503. */
  refuseTraffic(reason?: string): void
  /**
   * Takes no traffic until a start-up task is done; any number of tasks may be under way, in any order. One that rejects
   * holds readiness down for good, with the error as the reason, unless a later task of the same name succeeds.
   */
  addStartupTask(task: PromiseLike<unknown>, name: string): void
  /** Takes no traffic ever again, because the application is shutting down; nothing takes it back. Liveness stays as it is. */
  beginShutdown(reason?: string): void
  /** Gives up: the liveness probe answers 503 from now on, so that the orchestrator restarts the instance. */
  markBroken(error?: unknown): void
  /**
   * Calls the listener at each change of liveness and of readiness, and returns an unsubscribe function. A listener that
   * throws or rejects is reported.
   */
  onChange(listener: (change: AvailabilityChange) => unknown): () => void
}

export type Liveness = 'CORRECT' | 'BROKEN'
export type Readiness = 'ACCEPTING_TRAFFIC' | 'REFUSING_TRAFFIC'

/** What changed, and into what. */
export type AvailabilityChange =
  | { readonly kind: 'liveness'; readonly state: Liveness }
  | { readonly kind: 'readiness'; readonly state: Readiness }

/** An application's availability, and what health says of it. */
export interface AvailabilityStates {
  readonly availability: Availability
  readonly livenessState: StateIndicator
  readonly readinessState: StateIndicator
}

const up: Health = { status: 'UP' }

/** The availability of an application that is alive and takes traffic from the start, unless start-up tasks hold it back. */
export function createAvailability(report: Report): AvailabilityStates {
  const startup = createStartup(announce, report)
  const listeners = new Set<{ readonly tell: (change: AvailabilityChange) => unknown }>()
  let life = up
  let byHand = up
  let retired: Health | undefined
  let announced = { liveness: liveness(), readiness: readiness() }

  function liveness(): Liveness {
    return life === up ? 'CORRECT' : 'BROKEN'
  }

  function readinessHealth(): Health {
    return retired ?? startup.health() ?? byHand
  }

  function readiness(): Readiness {
    return readinessHealth() === up ? 'ACCEPTING_TRAFFIC' : 'REFUSING_TRAFFIC'
  }

  function announce(): void {
    const before = announced
    announced = { liveness: liveness(), readiness: readiness() }
    if (before.liveness !== announced.liveness) tell({ kind: 'liveness', state: announced.liveness })
    if (before.readiness !== announced.readiness) tell({ kind: 'readiness', state: announced.readiness })
  }

  function tell(change: AvailabilityChange): void {
    const fail = (error: unknown): void => report(`a listener to changes of ${change.kind} failed`, error)
    for (const listener of [...listeners]) {
      try {
        const returned: unknown = listener.tell(change)
        Promise.resolve(returned).catch(fail)
      } catch (error) {
        fail(error)
      }
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
      byHand = up
      announce()
    },
    refuseTraffic(reason) {
      byHand = outOfService(reason)
      announce()
    },
    addStartupTask(task, name) {
      startup.add(task, name)
      announce()
    },
    beginShutdown(reason) {
      retired ??= outOfService(reason ?? 'shutting down')
      announce()
    },
    markBroken(error) {
      life = { status: 'DOWN', ...(error !== undefined && { details: { error: describeError(error) } }) }
      announce()
    },
    onChange(tell) {
      const listener = { tell }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return { availability, livenessState: { state: () => life }, readinessState: { state: readinessHealth } }
}

function outOfService(reason: string | undefined): Health {
  return { status: 'OUT_OF_SERVICE', ...(reason !== undefined && { details: { reason } }) }
}
