/** A route of an application, as it was written. */
export interface AppRoute {
  /** `*` for every method. */
  readonly method: string
  /** Such as `/orders/:id`. */
  readonly path: string
}
