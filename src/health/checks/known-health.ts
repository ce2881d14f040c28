import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Health } from '../indicator.ts'

/** The health of a component that answers for itself. */
export interface KnownHealth {
  /** The health at a monotonic time, at once where it is known. Never throws, never rejects. */
  readonly health: (now: number) => MaybePromise<Health>
  /** The health as far as it is known without asking; `undefined` before anybody asked. */
  readonly known: (now: number) => Health | undefined
}
