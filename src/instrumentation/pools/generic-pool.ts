import type { PoolView } from './pool-view.ts'
import { replaceMethod } from './replaced-method.ts'

/** A generic-pool `Pool`. */
export interface GenericPool {
  readonly borrowed: number
  readonly available: number
  readonly pending: number
  readonly max: number
  acquire: unknown
}

export function isGenericPool(pool: object): pool is GenericPool {
  return 'borrowed' in pool && 'available' in pool && 'acquire' in pool
}

/** Its `use` calls `acquire`, too. */
export function viewGenericPool(pool: GenericPool): PoolView {
  return {
    active: () => pool.borrowed,
    idle: () => pool.available,
    pending: () => pool.pending,
    max: () => pool.max,
    watch: (begin) =>
      replaceMethod(
        pool,
        'acquire',
        (acquire) =>
          function (...args) {
            const acquired = begin()
            const resource = acquire.apply(this, args) as PromiseLike<unknown>
            resource.then(() => acquired(), acquired)
            return resource
          },
      ),
  }
}
