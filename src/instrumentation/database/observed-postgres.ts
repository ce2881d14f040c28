import { isWrapped } from '../official.ts'
import { replaceMethod } from '../replaced-method.ts'
import { createQueryObserver, keepCaller, type ObserveQuery } from './observe-query.ts'

/** Shared by duplicate installs of upkeep: their `tracedPool` must not observe the same queries again. */
const observed: unique symbol = Symbol.for('upkeep.observedQueries')

type Call = (...args: readonly unknown[]) => unknown

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
  replaceMethod(prototype, 'query', (original) => {
    return function (this: unknown, ...args) {
      const client = this as object
      const observe = observers.get(client) ?? createQueryObserver(client, () => isTracedElsewhere)
      observers.set(client, observe)
      return observe((...given) => original.apply(client, given as unknown[]), args)
    }
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
  replaceMethod(prototype, 'connect', (original) => {
    return function (this: unknown, ...args) {
      const [callback, ...rest] = args
      return original.apply(this, typeof callback === 'function' ? [keepCaller(callback as Call), ...rest] : args)
    }
  })
  Object.defineProperty(prototype.connect, observed, { value: true })
}

/** Whether a method is one of those that this module has replaced. */
export function isObservedQuery(method: unknown): boolean {
  return typeof method === 'function' && observed in method
}

/** Whether the clients of a pool are observed already. */
export function hasObservedClients(pool: object): boolean {
  const { Client } = pool as { readonly Client?: { readonly prototype?: { readonly query?: unknown } } }
  return isObservedQuery(Client?.prototype?.query)
}
