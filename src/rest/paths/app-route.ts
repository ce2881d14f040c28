import type { Archetype } from './check-path.ts'

/** A route of an application, as it was registered. */
export interface AppRoute {
  /** `*` for all methods. */
  readonly method: string
  /** Such as `/orders/:id`. */
  readonly path: string
  /** The archetype of the resource, where known. */
  readonly archetype?: Archetype | undefined
  /** The name of the function that handles its requests, where known. */
  readonly handler?: string | undefined
  /** Whether the path is the source of a regular expression. @default false */
  readonly isPattern?: boolean | undefined
}
