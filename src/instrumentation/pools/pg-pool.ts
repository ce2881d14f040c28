import { replaceMethod } from '../replaced-method.ts'
import { combineUnsubscribes } from '../unsubscribes.ts'
import { addListeners, type Ended, type PoolView } from './pool-view.ts'

/** A pg `Pool`. */
export interface PgPool {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  readonly options: { readonly max?: number | undefined; readonly min?: number | undefined }
  connect: unknown
  on(event: string, listener: (...args: unknown[]) => void): unknown
  removeListener(event: string, listener: (...args: unknown[]) => void): unknown
}

/** The private members that reveal when the creation of a client begins. */
interface Creating {
  newClient?: unknown
  readonly _clients?: readonly object[]
}

export function isPgPool(pool: object): pool is PgPool {
  return 'totalCount' in pool && 'waitingCount' in pool && 'connect' in pool
}

/** Its `query` calls `connect`, too. */
export function viewPgPool(pool: PgPool): PoolView {
  return {
    active: () => pool.totalCount - pool.idleCount,
    idle: () => pool.idleCount,
    pending: () => pool.waitingCount,
    max: () => pool.options.max ?? Number.NaN,
    // Before 8.14 the option does not exist, and none is kept.
    min: () => pool.options.min ?? 0,
    watch: ({ acquire, create, take, release }) =>
      combineUnsubscribes([
        replaceMethod(pool, 'connect', (connect, self, [callback]) => {
          const acquired = acquire()
          if (typeof callback !== 'function') {
            const client = connect.call(self) as Promise<unknown>
            client.then(() => acquired(), acquired)
            return client
          }
          return connect.call(self, (error: unknown, ...rest: unknown[]) => {
            acquired(error)
            callback(error, ...rest)
          })
        }),
        watchCreation(pool, create),
        addListeners(pool, { acquire: take, release: (_error: unknown, client: unknown) => release(client) }),
      ]),
  }
}

/** `newClient` adds a client to `_clients` and connects it, and the event `connect` has the same client. */
function watchCreation(pool: PgPool & Creating, create: () => Ended): () => void {
  if (typeof pool.newClient !== 'function') return () => {}
  const creations = new WeakMap<object, Ended>()
  const restore = replaceMethod(pool as { newClient: unknown }, 'newClient', (newClient, self, args) => {
    const created = create()
    const result = newClient.apply(self, args)
    const client = pool._clients?.at(-1)
    if (client !== undefined) creations.set(client, created)
    return result
  })
  const connected = (client: unknown) => {
    if (typeof client === 'object' && client !== null) creations.get(client)?.()
  }
  return combineUnsubscribes([restore, addListeners(pool, { connect: connected })])
}
