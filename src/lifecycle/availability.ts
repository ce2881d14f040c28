import { describeError } from '../health/error-text.ts'
import type { Health, StateIndicator } from '../health/indicator.ts'

/** Whether the application is alive and whether it takes traffic: what it says, and what probes are told. */
export interface Availability {
  /** `BROKEN` when only a restart can help. */
  readonly liveness: 'CORRECT' | 'BROKEN'
  readonly readiness: 'ACCEPTING_TRAFFIC' | 'REFUSING_TRAFFIC'
  /** Takes traffic from now on. */
  acceptTraffic(): void
  /** Takes no traffic from now on: the readiness probe answers 503. */
  refuseTraffic(reason?: string): void
  /** Gives up: the liveness probe answers 503 from now on, so that the orchestrator restarts the instance. */
  broken(error?: unknown): void
}

/** An application's availability, and what health says of it. */
export interface AvailabilityStates {
  readonly availability: Availability
  readonly livenessState: StateIndicator
  readonly readinessState: StateIndicator
}

const up: Health = { status: 'UP' }

/** The availability of an application that is alive and takes traffic from the start. */
export function createAvailability(): AvailabilityStates {
  let liveness = up
  let readiness = up
  const availability: Availability = {
    get liveness() {
      return liveness === up ? 'CORRECT' : 'BROKEN'
    },
    get readiness() {
      return readiness === up ? 'ACCEPTING_TRAFFIC' : 'REFUSING_TRAFFIC'
    },
    acceptTraffic() {
      readiness = up
    },
    refuseTraffic(reason) {
      readiness = { status: 'OUT_OF_SERVICE', ...(reason !== undefined && { details: { reason } }) }
    },
    broken(error) {
      liveness = { status: 'DOWN', ...(error !== undefined && { details: { error: describeError(error) } }) }
    },
  }
  return { availability, livenessState: { state: () => liveness }, readinessState: { state: () => readiness } }
}
