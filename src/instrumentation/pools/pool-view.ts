/** Called when an acquisition or creation ends, with its error if it failed. */
export type Ended = (error?: unknown) => void

/** What the meters of a pool are notified of. */
export interface PoolEvents {
  /** Called on every acquisition. */
  readonly acquire: () => Ended
  /** Called when a connection is about to be created. */
  readonly create: () => Ended
  /** Called with a connection that is in use from now on. */
  readonly take: (connection: unknown) => void
  /** Called with a connection that is no longer in use. Calls without a `take` before are ignored. */
  readonly release: (connection: unknown) => void
}

/** A connection pool, as its meters read it. */
export interface PoolView {
  /** Connections in use. */
  readonly active: () => number
  readonly idle: () => number
  /** Pending acquisitions. */
  readonly pending: () => number
  /** Maximum number of connections; absent if unknown. */
  readonly max?: () => number
  /** Minimum number of connections that the pool keeps; absent if unknown. */
  readonly min?: () => number
  /** Notifies of what happens in the pool. Returns an unsubscribe function. */
  readonly watch: (events: PoolEvents) => () => void
}

/** What emits events. */
interface Emitter {
  on(event: string, listener: (...args: unknown[]) => void): unknown
  removeListener(event: string, listener: (...args: unknown[]) => void): unknown
}

/** Adds listeners by event. Returns a function that removes them. */
export function addListeners(
  emitter: Emitter,
  listeners: Readonly<Record<string, (...args: unknown[]) => void>>,
): () => void {
  for (const [event, listener] of Object.entries(listeners)) emitter.on(event, listener)
  return () => {
    for (const [event, listener] of Object.entries(listeners)) emitter.removeListener(event, listener)
  }
}
