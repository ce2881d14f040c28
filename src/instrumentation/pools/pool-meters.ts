import type { Meter } from '../../metrics/meter.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import { type GenericPool, isGenericPool, viewGenericPool } from './generic-pool.ts'
import { isMysql2Pool, type Mysql2Pool, viewMysql2Pool } from './mysql-pool.ts'
import { isPgPool, type PgPool, viewPgPool } from './pg-pool.ts'
import type { PoolView } from './pool-view.ts'
import { type KnexClient, type TarnPool, tarnPoolOf, viewTarnPool } from './tarn-pool.ts'
import { isUndiciPool, type UndiciPool, viewUndiciPool } from './undici-pool.ts'

/** A connection pool of pg, mysql2, generic-pool, tarn (or knex, which uses it) or undici. */
export type ConnectionPool = PgPool | Mysql2Pool | GenericPool | TarnPool | KnexClient | UndiciPool

/**
 * Measures a connection pool: the gauges `<name>.connections.active`, `idle`, `pending` and `max`, the counter
 * `<name>.connections.timeout` of failed acquisitions, and the timer `<name>.connections.acquire`. Returns a function
 * that stops measuring and removes the meters.
 *
 * @throws TypeError for an unknown pool or an empty name.
 */
export function poolMeters(meters: MeterRegistry, name: string, pool: ConnectionPool): () => void {
  if (typeof name !== 'string' || name === '') throw new TypeError('poolMeters: name: expected a non-empty string')
  const { active, idle, pending, max, watch } = viewPool(pool)
  const prefix = `${name}.connections`
  const gauge = (what: string, read: () => number, description: string) =>
    meters.gauge(`${prefix}.${what}`, {}, read, { description })

  const acquire = meters.timer(`${prefix}.acquire`, {}, { description: 'Time to acquire a connection' })
  const timeout = meters.counter(`${prefix}.timeout`, {}, { description: 'Acquisitions that timed out' })
  const made: readonly Meter[] = [
    acquire,
    timeout,
    gauge('active', active, 'Connections in use'),
    gauge('idle', idle, 'Idle connections'),
    gauge('pending', pending, 'Pending acquisitions'),
    ...(max === undefined ? [] : [gauge('max', max, 'Maximum number of connections')]),
  ]

  const unwatch = watch(() => {
    const sample = meters.start()
    let isOver = false
    return (error) => {
      if (isOver) return
      isOver = true
      if (error === undefined || error === null) sample.stop(acquire)
      else if (isTimeout(error)) timeout.increment()
    }
  })
  return () => {
    unwatch()
    for (const meter of made) meters.remove(meter)
  }
}

function viewPool(pool: ConnectionPool): PoolView {
  const isObject = (typeof pool === 'object' && pool !== null) || typeof pool === 'function'
  const tarn = isObject ? tarnPoolOf(pool) : undefined
  if (tarn !== undefined) return viewTarnPool(tarn)
  if (isObject && isPgPool(pool)) return viewPgPool(pool)
  if (isObject && isMysql2Pool(pool)) return viewMysql2Pool(pool)
  if (isObject && isGenericPool(pool)) return viewGenericPool(pool)
  if (isObject && isUndiciPool(pool)) return viewUndiciPool(pool)
  throw new TypeError('poolMeters: pool: expected a pool of pg, mysql2, generic-pool, tarn, knex or undici')
}

/** pg reports timeouts only in the message, generic-pool and tarn in the name, the others in a code. */
function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code: unknown = 'code' in error ? error.code : undefined
  return (
    /timeout/i.test(error.name) || /TIMEDOUT|TIMEOUT/.test(String(code)) || /\btime(?:d ?)?out\b/i.test(error.message)
  )
}
