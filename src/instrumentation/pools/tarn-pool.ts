import type { Acquired, PoolView } from './pool-view.ts'

/** A tarn `Pool`. */
export interface TarnPool {
  readonly max: number
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
  on(event: string, listener: (...args: never[]) => unknown): unknown
  removeListener(event: string, listener: (...args: never[]) => unknown): unknown
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
    watch(begin) {
      const waiting = new Map<number, Acquired>()
      const end = (id: number, error: unknown) => {
        waiting.get(id)?.(error)
        waiting.delete(id)
      }
      const listeners: Readonly<Record<string, (id: number, detail: unknown) => unknown>> = {
        acquireRequest: (id) => waiting.set(id, begin()),
        acquireSuccess: (id) => end(id, undefined),
        acquireFail: (id, error) => end(id, error),
      }
      for (const [event, listener] of Object.entries(listeners)) pool.on(event, listener)
      return () => {
        for (const [event, listener] of Object.entries(listeners)) pool.removeListener(event, listener)
      }
    },
  }
}
