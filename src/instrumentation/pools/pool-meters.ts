import { invalidOption } from '../../base/errors.ts'
import type { Counter } from '../../metrics/counter.ts'
import type { Meter } from '../../metrics/meter.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { Timer, UnboundSample } from '../../metrics/timer.ts'
import { type GenericPool, isGenericPool, viewGenericPool } from './generic-pool.ts'
import { isMysql2Pool, type Mysql2Pool, viewMysql2Pool } from './mysql-pool.ts'
import { isPgPool, type PgPool, viewPgPool } from './pg-pool.ts'
import type { PoolEvents, PoolView } from './pool-view.ts'
import { type KnexClient, type TarnPool, tarnPoolOf, viewTarnPool } from './tarn-pool.ts'
import { isUndiciPool, type UndiciPool, viewUndiciPool } from './undici-pool.ts'

/** A connection pool of pg, mysql2, generic-pool, tarn (or knex, which uses it) or undici. */
export type ConnectionPool = PgPool | Mysql2Pool | GenericPool | TarnPool | KnexClient | UndiciPool

/**
 * Measures a connection pool of a database by the names of Spring Boot. With the tag `pool` these are the gauges
 * `hikaricp.connections` and `.active`, `.idle`, `.pending`, `.max` and `.min`, the counter `.timeout`, and the timers
 * `.acquire`, `.creation` and `.usage`. With the tag `name` these are the gauges `jdbc.connections.active`, `.idle`,
 * `.max` and `.min`. A pool of undici has `<name>.connections.active`, `.idle`, `.pending`, `.acquire` and `.timeout`
 * without tags. Returns a function that stops measuring and removes the meters.
 *
 * @throws TypeError for an unknown pool or an empty name.
 */
export function poolMeters(meters: MeterRegistry, name: string, pool: ConnectionPool): () => void {
  if (typeof name !== 'string' || name === '') throw invalidOption('poolMeters: name: expected a non-empty string')
  const view = viewPool(pool)
  const isDatabase = !isUndiciPool(pool)
  const prefix = isDatabase ? 'hikaricp.connections' : `${name}.connections`
  const tags = isDatabase ? { pool: name } : {}
  const made: Meter[] = []
  const register = <M extends Meter>(meter: M): M => {
    made.push(meter)
    return meter
  }
  const timer = (what: string, description: string) =>
    register(meters.timer(`${prefix}.${what}`, tags, { description }))
  const acquire = timer('acquire', 'Time to acquire a connection')
  const creation = isDatabase ? timer('creation', 'Time to create a connection') : undefined
  const usage = isDatabase ? timer('usage', 'Time that a connection was in use') : undefined
  const timeout = register(meters.counter(`${prefix}.timeout`, tags, { description: 'Acquisitions that timed out' }))

  const { active, idle, pending, max, min } = view
  for (const [what, read] of Object.entries({ active, idle, pending, max, min })) {
    if (read === undefined) continue
    const options = { description: descriptions.get(what) }
    register(meters.gauge(`${prefix}.${what}`, tags, read, options))
    if (isDatabase && what !== 'pending') register(meters.gauge(`jdbc.connections.${what}`, { name }, read, options))
  }
  if (isDatabase) register(meters.gauge(prefix, tags, () => active() + idle(), { description: 'All connections' }))
  const unwatch = view.watch(recordEvents(meters, { acquire, creation, usage, timeout }))
  return () => {
    unwatch()
    for (const meter of made) meters.remove(meter)
  }
}

const descriptions = new Map([
  ['active', 'Connections in use'],
  ['idle', 'Idle connections'],
  ['pending', 'Pending acquisitions'],
  ['max', 'Maximum number of connections'],
  ['min', 'Minimum number of connections'],
])

/** The meters that record events of a pool. */
interface EventMeters {
  readonly acquire: Timer
  readonly creation: Timer | undefined
  readonly usage: Timer | undefined
  readonly timeout: Counter
}

function recordEvents(meters: MeterRegistry, { acquire, creation, usage, timeout }: EventMeters): PoolEvents {
  /** By connection. A pool has the same ones again, so that entries are replaced, not added. */
  const uses = new WeakMap<object, UnboundSample>()
  const isObject = (connection: unknown): connection is object => typeof connection === 'object' && connection !== null
  return {
    acquire() {
      const sample = meters.start()
      let isOver = false
      return (error) => {
        if (isOver) return
        isOver = true
        if (error === undefined || error === null) sample.stop(acquire)
        else if (isTimeout(error)) timeout.increment()
      }
    },
    create() {
      const sample = meters.start()
      return (error) => {
        if (creation !== undefined && (error === undefined || error === null)) sample.stop(creation)
      }
    },
    take(connection) {
      if (usage !== undefined && isObject(connection)) uses.set(connection, meters.start())
    },
    release(connection) {
      if (usage === undefined || !isObject(connection)) return
      uses.get(connection)?.stop(usage)
      uses.delete(connection)
    },
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
  throw invalidOption('poolMeters: pool: expected a pool of pg, mysql2, generic-pool, tarn, knex or undici')
}

/** pg reports timeouts only in the message, generic-pool and tarn in the name, the others in a code. */
function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code: unknown = 'code' in error ? error.code : undefined
  return (
    /timeout/i.test(error.name) || /TIMEDOUT|TIMEOUT/.test(String(code)) || /\btime(?:d ?)?out\b/i.test(error.message)
  )
}
