/** Called when an acquisition ends, with its error if it failed. */
export type Acquired = (error?: unknown) => void

/** A connection pool, as its meters read it. */
export interface PoolView {
  /** Connections in use. */
  readonly active: () => number
  readonly idle: () => number
  /** Pending acquisitions. */
  readonly pending: () => number
  /** Maximum number of connections; absent if unknown. */
  readonly max?: () => number
  /** Calls `begin` on every acquisition. Returns an unsubscribe function. */
  readonly watch: (begin: () => Acquired) => () => void
}
