import { replaceMethod } from '../replaced-method.ts'
import { combineUnsubscribes } from '../unsubscribes.ts'
import type { Ended, PoolView } from './pool-view.ts'

/** A generic-pool `Pool`. */
export interface GenericPool {
  readonly borrowed: number
  readonly available: number
  readonly pending: number
  readonly max: number
  readonly min: number
  acquire: unknown
  release: unknown
  destroy: unknown
}

/** The private member that creates resources. */
interface Creating {
  _factory?: { create(): unknown }
}

export function isGenericPool(pool: object): pool is GenericPool {
  return 'borrowed' in pool && 'available' in pool && 'acquire' in pool
}

/** Its `use` calls `acquire`, and `release` or `destroy`, too. */
export function viewGenericPool(pool: GenericPool): PoolView {
  return {
    active: () => pool.borrowed,
    idle: () => pool.available,
    pending: () => pool.pending,
    max: () => pool.max,
    min: () => pool.min,
    watch({ acquire, create, take, release }) {
      const notifyOfRelease = (name: 'release' | 'destroy') =>
        replaceMethod(pool, name, (end, self, [resource]) => {
          release(resource)
          return end.call(self, resource)
        })
      return combineUnsubscribes([
        replaceMethod(pool, 'acquire', (acquireResource, self, args) => {
          const acquired = acquire()
          const pending = acquireResource.apply(self, args) as PromiseLike<unknown>
          pending.then((resource) => {
            acquired()
            take(resource)
          }, acquired)
          return pending
        }),
        notifyOfRelease('release'),
        notifyOfRelease('destroy'),
        watchCreation(pool, create),
      ])
    },
  }
}

/** Replaces the factory and not its method, because the factory belongs to the application, and several pools may share it. */
function watchCreation(pool: GenericPool & Creating, create: () => Ended): () => void {
  const factory = pool._factory
  if (typeof factory?.create !== 'function') return () => {}
  let isOn = true
  const measured = Object.create(factory, {
    create: {
      value: () => {
        const created = isOn ? create() : undefined
        const resource = factory.create()
        if (created !== undefined) Promise.resolve(resource).then(() => created(), created)
        return resource
      },
    },
  })
  pool._factory = measured
  return () => {
    isOn = false
    if (pool._factory === measured) pool._factory = factory
  }
}
