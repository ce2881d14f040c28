import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Health } from '../indicator.ts'

/** The health of one component: checked in the foreground or background, or read from a state. */
export interface HealthSource {
  /**
   * Returns the health at a monotonic time: synchronously if it is cached, otherwise when the check has completed. The
   * same object is returned while the health is unchanged. Never throws, never rejects.
   */
  readonly check: (now: number) => MaybePromise<Health>
  /** Returns the latest health without running a check, or `undefined` if no check has completed yet. */
  readonly latest: (now: number) => Health | undefined
  /** Runs the check, also if its latest result is cached. @default there is no check to run */
  readonly run?: (now: number) => MaybePromise<unknown>
}
