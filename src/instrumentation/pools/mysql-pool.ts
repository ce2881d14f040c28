import type { PoolView } from './pool-view.ts'
import { replaceMethod } from './replaced-method.ts'

/** A mysql2 `Pool`, with callbacks or, from mysql2/promise, promises. */
export type Mysql2Pool = Mysql2CallbackPool | { readonly pool: Mysql2CallbackPool }

/** The members of a mysql2 `Pool` with callbacks that the meters use. */
export interface Mysql2CallbackPool {
  readonly config: object
  getConnection: unknown
}

interface Connections {
  readonly length: number
}

export function isMysql2Pool(pool: object): pool is Mysql2Pool {
  const inner = 'pool' in pool ? pool.pool : pool
  return typeof inner === 'object' && inner !== null && 'getConnection' in inner && '_allConnections' in inner
}

/** mysql2 keeps its connections in private members only. `query` and `execute` call `getConnection`. */
export function viewMysql2Pool(pool: Mysql2Pool): PoolView {
  const inner = 'pool' in pool ? pool.pool : pool
  const lists = inner as Mysql2CallbackPool & Readonly<Record<string, Connections | undefined>>
  const count = (name: string) => lists[name]?.length ?? Number.NaN
  return {
    active: () => count('_allConnections') - count('_freeConnections'),
    idle: () => count('_freeConnections'),
    pending: () => count('_connectionQueue'),
    max: () => limitOf(inner.config),
    watch: (begin) =>
      replaceMethod(
        inner,
        'getConnection',
        (getConnection) =>
          function (given) {
            const callback = given as (error: unknown, ...rest: unknown[]) => void
            const acquired = begin()
            return getConnection.call(this, (error: unknown, ...rest: unknown[]) => {
              acquired(error)
              callback(error, ...rest)
            })
          },
      ),
  }
}

/** 0 means unlimited. */
function limitOf(config: object): number {
  const limit: unknown = 'connectionLimit' in config ? config.connectionLimit : undefined
  return limit === 0 ? Number.POSITIVE_INFINITY : Number(limit)
}
