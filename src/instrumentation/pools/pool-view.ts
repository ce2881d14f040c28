/** Told how the wait for a connection ended: without an error where there is one. */
export type Acquired = (error?: unknown) => void

/** A pool of connections, as its meters see it. */
export interface PoolView {
  /** Connections that are in use. */
  readonly active: () => number
  readonly idle: () => number
  /** Those who wait for a connection. */
  readonly pending: () => number
  /** How many connections there may be; absent where the pool does not tell. */
  readonly max?: () => number
  /** Calls `begin` whenever somebody asks for a connection, until the function that it answers is called. */
  readonly watch: (begin: () => Acquired) => () => void
}
