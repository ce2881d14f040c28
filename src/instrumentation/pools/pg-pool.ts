import type { PoolView } from './pool-view.ts'
import { replaceMethod } from './replaced-method.ts'

/** A pg `Pool`. */
export interface PgPool {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  readonly options: { readonly max?: number | undefined }
  connect: unknown
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
    watch: (begin) =>
      replaceMethod(
        pool,
        'connect',
        (connect) =>
          function (callback: unknown) {
            const acquired = begin()
            if (typeof callback !== 'function') {
              const client = connect.call(this) as Promise<unknown>
              client.then(() => acquired(), acquired)
              return client
            }
            return connect.call(this, (error: unknown, ...rest: unknown[]) => {
              acquired(error)
              callback(error, ...rest)
            })
          },
      ),
  }
}
