import { type Clock, systemClock } from '../../base/clock.ts'
import type { HealthCheck } from '../indicator.ts'
import { requireClient } from './check.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'
import { connectionSession, createSqlCheck, poolSession, type Query, type Session } from './sql-check.ts'

/** The used part of a `Client` of pg, or of a PGlite. */
export interface PostgresConnection {
  query(text: string): PromiseLike<{ readonly rows: readonly unknown[] }>
}

/** The used part of a `Pool` of pg. */
export interface PostgresPool extends PostgresConnection {
  readonly totalCount: number
  connect(callback: (error: Error | undefined, connection: PostgresPoolConnection | undefined) => void): unknown
}

/** The members of a connection of a pg pool that the indicator uses. */
export interface PostgresPoolConnection extends PostgresConnection {
  release(broken?: boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
}

/** The used part of a `Sql` of postgres.js. */
export interface PostgresSql {
  unsafe(text: string): PromiseLike<readonly unknown[]>
}

/** Options of `postgres`. */
export interface PostgresOptions {
  /** @default 'SELECT 1' */
  readonly validationQuery?: string | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/**
 * `UP` while the database responds to a query: over a `Pool` or `Client` of pg, a `Sql` of postgres.js, or a PGlite.
 * Details: `database` (product and version, requested once), `validationQuery`, `latency` (waiting for a free
 * connection included).
 *
 * A connection of a `Pool` that has not responded when the check times out is closed, so that the pool recovers. Over
 * other clients one query at a time is pending.
 */
export function postgres(
  client: PostgresPool | PostgresConnection | PostgresSql,
  options: PostgresOptions = {},
): HealthCheck {
  checkIndicatorOptions('postgres', options, ['validationQuery', 'clock'], { query: 'validationQuery' })
  const { validationQuery = 'SELECT 1', clock = systemClock } = options
  requireClient('postgres', client, 'a Pool or Client of pg, a Sql of postgres.js, or a PGlite', ['query', 'unsafe'])
  return createSqlCheck({
    session: sessionOf(client, clock),
    validationQuery,
    versionQuery: 'SELECT version() AS version',
    nameProduct,
    clock,
  })
}

function sessionOf(client: PostgresPool | PostgresConnection | PostgresSql, clock: Clock): Session {
  if ('totalCount' in client) return poolSession({ acquire: () => acquire(client), release }, queryOf)
  return connectionSession('unsafe' in client ? (text) => client.unsafe(text) : queryOf(client), clock)
}

function release(connection: PostgresPoolConnection, isBroken: boolean): void {
  connection.release(isBroken)
  connection.removeListener('error', ignore)
}

/**
 * Acquires a connection. One that breaks also emits an error, for which the pool does not listen while it is in use.
 * The listener is added in the callback, because a promise would be too late for a server that shuts down during the
 * greeting.
 */
function acquire(pool: PostgresPool): Promise<PostgresPoolConnection> {
  return new Promise((resolve, reject) => {
    pool.connect((error, connection) => {
      if (connection === undefined) {
        reject(error)
        return
      }
      connection.on('error', ignore)
      resolve(connection)
    })
  })
}

function queryOf(connection: PostgresConnection): Query {
  return async (text) => (await connection.query(text)).rows
}

function ignore(): void {}

/** Returns name and version of `PostgreSQL 17.2 (Debian 17.2-1) on x86_64…` and `CockroachDB CCL v23.1.0 (x86_64…`. */
function nameProduct(version: string): string {
  const [, product, number] = /^(\w+)(?: [A-Z]+)? v?(\d[\w.]*)/.exec(version) ?? []
  return product === undefined || number === undefined ? version : `${product} ${number}`
}
