import { isWrapped } from '../official.ts'
import { overlay } from '../overlay.ts'
import { createQueryObserver, keepCaller } from './observe-query.ts'
import { hasObservedClients, isObservedQuery } from './observed-postgres.ts'

/** A pg Pool or Client. */
export interface TraceablePostgres {
  query(...args: never[]): unknown
  connect(...args: never[]): unknown
}

type Call = (...args: readonly unknown[]) => unknown

/**
 * Wraps a pg Pool or Client so that each query is a span, and is timed by every management of the process: with
 * promises, callbacks, `Query` objects and cursors. Clients from `connect` of a pool are wrapped, too. The result has
 * the same type, and all other members are unchanged. Callbacks run in the context of their caller. Creates no spans
 * while OpenTelemetry's instrumentation of pg is active.
 */
export function tracedPool<P extends TraceablePostgres>(pool: P): P {
  const query = pool.query.bind(pool) as Call
  const connect = pool.connect.bind(pool) as Call
  const isPatched = isObservedQuery(pool.query)
  const observe = createQueryObserver(pool, () => isWrapped(pool.query) || isWrapped(pool.connect))

  return overlay(pool, {
    query(...args: readonly unknown[]) {
      return isPatched || hasObservedClients(pool) ? query(...args) : observe(query, args)
    },
    connect(...args: readonly unknown[]) {
      const [callback] = args
      if (typeof callback === 'function') {
        return connect(
          keepCaller((error: unknown, client: unknown, release: unknown) =>
            callback(error, traced(client, pool), release),
          ),
        )
      }
      const connected = connect(...args)
      return connected instanceof Promise ? connected.then((client: unknown) => traced(client, pool)) : connected
    },
  })
}

/** Wraps the client returned by a pool; a client itself returns nothing, or itself. */
function traced(client: unknown, pool: object): unknown {
  return isTraceable(client) && client !== pool ? tracedPool(client) : client
}

function isTraceable(value: unknown): value is TraceablePostgres {
  return typeof value === 'object' && value !== null && 'query' in value && 'connect' in value
}
