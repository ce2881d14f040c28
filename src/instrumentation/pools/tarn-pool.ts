import { addListeners, type Ended, type PoolView } from './pool-view.ts'

/** A tarn `Pool`. */
export interface TarnPool {
  readonly max: number
  readonly min: number
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
  on(event: string, listener: (...args: unknown[]) => void): unknown
  removeListener(event: string, listener: (...args: unknown[]) => void): unknown
}

/** A knex client, whose pool is one of tarn. */
export interface KnexClient {
  readonly client: { readonly pool?: TarnPool | undefined }
}

export function tarnPoolOf(pool: object): TarnPool | undefined {
  if (isTarnPool(pool)) return pool
  const client: unknown = 'client' in pool ? pool.client : undefined
  const inner: unknown = typeof client === 'object' && client !== null && 'pool' in client ? client.pool : undefined
  return typeof inner === 'object' && inner !== null && isTarnPool(inner) ? inner : undefined
}

function isTarnPool(pool: object): pool is TarnPool {
  return 'numUsed' in pool && 'numPendingAcquires' in pool
}

export function viewTarnPool(pool: TarnPool): PoolView {
  return {
    active: () => pool.numUsed(),
    idle: () => pool.numFree(),
    pending: () => pool.numPendingAcquires(),
    max: () => pool.max,
    min: () => pool.min,
    watch({ acquire, create, take, release }) {
      const acquisitions = new Map<unknown, Ended>()
      const creations = new Map<unknown, Ended>()
      const end = (pending: Map<unknown, Ended>, id: unknown, error: unknown) => {
        pending.get(id)?.(error)
        pending.delete(id)
      }
      return addListeners(pool, {
        acquireRequest: (id: unknown) => void acquisitions.set(id, acquire()),
        acquireSuccess: (id: unknown, connection: unknown) => {
          end(acquisitions, id, undefined)
          take(connection)
        },
        acquireFail: (id: unknown, error: unknown) => end(acquisitions, id, error),
        createRequest: (id: unknown) => void creations.set(id, create()),
        createSuccess: (id: unknown) => end(creations, id, undefined),
        createFail: (id: unknown, error: unknown) => end(creations, id, error),
        release,
      })
    },
  }
}
