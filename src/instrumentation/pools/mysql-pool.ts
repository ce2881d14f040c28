import { replaceMethod } from '../replaced-method.ts'
import { combineUnsubscribes } from '../unsubscribes.ts'
import type { PoolView } from './pool-view.ts'

/** A mysql2 `Pool`, with callbacks or, from mysql2/promise, promises. */
export type Mysql2Pool = Mysql2CallbackPool | { readonly pool: Mysql2CallbackPool }

/** The members of a mysql2 `Pool` with callbacks that the meters use. */
export interface Mysql2CallbackPool {
  readonly config: object
  getConnection: unknown
  releaseConnection: unknown
}

interface Connections {
  readonly length: number
}

export function isMysql2Pool(pool: object): pool is Mysql2Pool {
  const inner = 'pool' in pool ? pool.pool : pool
  return typeof inner === 'object' && inner !== null && 'getConnection' in inner && '_allConnections' in inner
}

/**
 * mysql2 keeps its connections in private members only. `query` and `execute` call `getConnection`; `release` and
 * `destroy` of a connection call `releaseConnection`. Its events omit connections that are passed from one user to the
 * next.
 */
export function viewMysql2Pool(pool: Mysql2Pool): PoolView {
  const inner = 'pool' in pool ? pool.pool : pool
  const lists = inner as Mysql2CallbackPool & Readonly<Record<string, Connections | undefined>>
  const count = (name: string) => lists[name]?.length ?? Number.NaN
  return {
    active: () => count('_allConnections') - count('_freeConnections'),
    idle: () => count('_freeConnections'),
    pending: () => count('_connectionQueue'),
    max: () => limitOf(inner.config),
    // It begins without connections, and does not replace those that end.
    min: () => 0,
    watch: ({ acquire, create, take, release }) =>
      combineUnsubscribes([
        replaceMethod(inner, 'getConnection', (getConnection, self, [given]) => {
          const callback = given as (error: unknown, ...rest: unknown[]) => void
          const acquired = acquire()
          const before = count('_allConnections')
          const created = count('_freeConnections') === 0 ? create() : undefined
          // The callback may be called before `getConnection` returns.
          let isNew = false
          const result = getConnection.call(self, (error: unknown, ...rest: unknown[]) => {
            acquired(error)
            if (isNew) created?.(error)
            if (error === undefined || error === null) take(rest[0])
            callback(error, ...rest)
          })
          // A connection that it creates is for this call.
          isNew = count('_allConnections') > before
          return result
        }),
        replaceMethod(inner, 'releaseConnection', (releaseConnection, self, [connection]) => {
          release(connection)
          return releaseConnection.call(self, connection)
        }),
      ]),
  }
}

/** 0 means unlimited. */
function limitOf(config: object): number {
  const limit: unknown = 'connectionLimit' in config ? config.connectionLimit : undefined
  return limit === 0 ? Number.POSITIVE_INFINITY : Number(limit)
}
