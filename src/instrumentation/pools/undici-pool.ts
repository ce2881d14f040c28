import type { PoolView } from './pool-view.ts'
import { replaceMethod } from './replaced-method.ts'

/** A `Pool`, an `Agent` or a `Client` of undici, which all tell their `stats`. */
export interface UndiciPool {
  readonly stats: object
  dispatch: unknown
}

interface Connections {
  readonly connected: number | boolean
  /** Of a pool; a client has one connection. */
  readonly free?: number
  readonly pending: number
  readonly running: number
}

export function isUndiciPool(pool: object): pool is UndiciPool {
  return 'dispatch' in pool && 'stats' in pool
}

/**
 * A request is pending until a connection takes it, and that is how long it took to acquire one. How many connections
 * there may be is not told, and of an agent is a number for each origin.
 */
export function viewUndiciPool(pool: UndiciPool): PoolView {
  const sum = (of: (connections: Connections) => number) =>
    connectionsOf(pool.stats).reduce((total, connections) => total + of(connections), 0)
  return {
    active: () => sum((connections) => Number(connections.connected) - idleOf(connections)),
    idle: () => sum(idleOf),
    pending: () => sum(({ pending }) => pending),
    watch: (begin) =>
      replaceMethod(
        pool,
        'dispatch',
        (dispatch) =>
          function (options: unknown, handler: unknown) {
            const acquired = begin()
            tellOnce(handler, ['onConnect', 'onRequestStart'], () => acquired())
            tellOnce(handler, ['onError'], acquired)
            tellOnce(handler, ['onResponseError'], (_controller, error) => acquired(error))
            return dispatch.call(this, options, handler)
          },
      ),
  }
}

function idleOf({ connected, free, running }: Connections): number {
  return free ?? (connected && running === 0 ? 1 : 0)
}

/** Of an agent those of every origin. */
function connectionsOf(stats: object): readonly Connections[] {
  return 'connected' in stats ? [stats as Connections] : Object.values(stats)
}

/** Has the next call of a handler's method told too. A handler that cannot be added to is left alone. */
function tellOnce(handler: unknown, names: readonly string[], tell: (...args: unknown[]) => void): void {
  if (typeof handler !== 'object' || handler === null || !Object.isExtensible(handler)) return
  const methods = handler as Record<string, unknown>
  for (const name of names) {
    if (typeof methods[name] !== 'function') continue
    const restore = replaceMethod(
      methods,
      name,
      (method) =>
        function (...args) {
          restore()
          tell(...args)
          return method.apply(this, args)
        },
    )
  }
}
