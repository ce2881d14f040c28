import { isWrapped } from '../official.ts'
import { overlay } from '../overlay.ts'
import { replaceMethod } from '../replaced-method.ts'
import { createQueryObserver, keepCaller, type ObserveQuery } from './postgres-query.ts'

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

/** Shared by duplicate installs of upkeep: their `tracedPool` must not observe the same queries again. */
const observed: unique symbol = Symbol.for('upkeep.observedQueries')

interface PostgresClass {
  readonly prototype: object
}

/**
 * Observes the queries of all clients of a copy of pg, also of those that exist already, as `tracedPool` does: `Client`
 * is the class of `pg/lib/client.js`. Creates no spans while OpenTelemetry's instrumentation of pg is active.
 */
export function observePostgresClients(Client: PostgresClass): void {
  const prototype = Client.prototype as { query: unknown }
  if (typeof prototype.query !== 'function' || isObservedQuery(prototype.query)) return
  const observers = new WeakMap<object, ObserveQuery>()
  const isTracedElsewhere = isWrapped(prototype.query)
  replaceMethod(prototype, 'query', (original, self, args) => {
    const client = self as object
    const observe = observers.get(client) ?? createQueryObserver(client, () => isTracedElsewhere)
    observers.set(client, observe)
    return observe((...given) => original.apply(client, given as unknown[]), args)
  })
  Object.defineProperty(prototype.query, observed, { value: true })
}

/**
 * Runs the callbacks of `connect` in the context of their caller: a pool calls them where another query ends. `Pool` is
 * the class of pg-pool.
 */
export function keepPoolCallers(Pool: PostgresClass): void {
  const prototype = Pool.prototype as { connect: unknown }
  if (typeof prototype.connect !== 'function' || isObservedQuery(prototype.connect)) return
  replaceMethod(prototype, 'connect', (original, self, args) => {
    const [callback, ...rest] = args
    return original.apply(self, typeof callback === 'function' ? [keepCaller(callback as Call), ...rest] : args)
  })
  Object.defineProperty(prototype.connect, observed, { value: true })
}

/** Whether a method is one of those that this module has replaced. */
function isObservedQuery(method: unknown): boolean {
  return typeof method === 'function' && observed in method
}

/** Whether the clients of a pool are observed already. */
function hasObservedClients(pool: object): boolean {
  const { Client } = pool as { readonly Client?: { readonly prototype?: { readonly query?: unknown } } }
  return isObservedQuery(Client?.prototype?.query)
}
