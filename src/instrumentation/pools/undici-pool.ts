import { replaceMethod } from '../replaced-method.ts'
import type { PoolView } from './pool-view.ts'

/** An undici `Pool`, `Agent` or `Client`, which all have `stats`. */
export interface UndiciPool {
  readonly stats: object
  dispatch: unknown
}

interface Connections {
  readonly connected: number | boolean
  /** Of pools only; a client has one connection. */
  readonly free?: number
  readonly pending: number
  readonly running: number
}

export function isUndiciPool(pool: object): pool is UndiciPool {
  return 'dispatch' in pool && 'stats' in pool
}

/**
 * A request is pending until it is assigned a connection, which is its time to acquire one. The maximum is unknown, and
 * for agents is per origin.
 */
export function viewUndiciPool(pool: UndiciPool): PoolView {
  const sum = (of: (connections: Connections) => number) =>
    connectionsOf(pool.stats).reduce((total, connections) => total + of(connections), 0)
  return {
    active: () => sum((connections) => Number(connections.connected) - idleOf(connections)),
    idle: () => sum(idleOf),
    pending: () => sum(({ pending }) => pending),
    watch: ({ acquire }) =>
      replaceMethod(pool, 'dispatch', (dispatch, self, [options, handler]) => {
        const acquired = acquire()
        notifyOnce(handler, ['onConnect', 'onRequestStart'], () => acquired())
        notifyOnce(handler, ['onError'], acquired)
        notifyOnce(handler, ['onResponseError'], (_controller, error) => acquired(error))
        return dispatch.call(self, options, handler)
      }),
  }
}

function idleOf({ connected, free, running }: Connections): number {
  return free ?? (connected && running === 0 ? 1 : 0)
}

/** Returns the stats of a client or pool, or of all origins of an agent. */
function connectionsOf(stats: object): readonly Connections[] {
  return 'connected' in stats ? [stats as Connections] : Object.values(stats)
}

/** Notifies `tell` of the next call of any of these methods of a handler. Non-extensible handlers are skipped. */
function notifyOnce(handler: unknown, names: readonly string[], notify: (...args: unknown[]) => void): void {
  if (typeof handler !== 'object' || handler === null || !Object.isExtensible(handler)) return
  const methods = handler as Record<string, unknown>
  for (const name of names) {
    if (typeof methods[name] !== 'function') continue
    const restore = replaceMethod(methods, name, (method, self, args) => {
      restore()
      notify(...args)
      return method.apply(self, args)
    })
  }
}
