import type { Archetype } from './check-path.ts'

/** A route of an application, as it was written. */
export interface AppRoute {
  /** `*` for every method. */
  readonly method: string
  /** Such as `/orders/:id`. */
  readonly path: string
  /** What is there, where that is known. */
  readonly archetype?: Archetype | undefined
}
