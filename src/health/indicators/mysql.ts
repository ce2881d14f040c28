import { type Clock, systemClock } from '../../base/clock.ts'
import type { HealthCheck } from '../indicator.ts'
import { requireClient } from './check.ts'
import { checkIndicatorOptions } from './check-indicator-options.ts'
import { connectionSession, createSqlCheck, poolSession, type Query, type Session } from './sql-check.ts'

/** The used part of a `Connection` of mysql2/promise. */
export interface MysqlConnection {
  query(text: string): PromiseLike<readonly [unknown, ...unknown[]]>
}

/** The used part of a `Pool` of mysql2/promise, or of a namespace of a `PoolCluster`. */
export interface MysqlPool {
  getConnection(): PromiseLike<MysqlPoolConnection>
}

/** The members of a connection of a mysql2 pool that the indicator uses. */
export interface MysqlPoolConnection extends MysqlConnection {
  release(): void
  destroy(): void
}

/** The used part of a `Pool` or `Connection` of mysql2 with callbacks. */
export interface MysqlCallbackClient {
  promise(): MysqlPool | MysqlConnection
}

/** Options of `mysql`. */
export interface MysqlOptions {
  /** @default 'SELECT 1' */
  readonly validationQuery?: string | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/**
 * `UP` while MySQL or MariaDB responds to a query: over a `Pool` or `Connection` of mysql2, with promises or callbacks.
 * Details: `database` (product and version, requested once), `validationQuery`, `latency` (waiting for a free
 * connection included).
 *
 * A connection of a `Pool` that has not responded when the check times out is closed, so that the pool recovers. Over a
 * single connection one query at a time is pending.
 */
export function mysql(
  client: MysqlPool | MysqlConnection | MysqlCallbackClient,
  options: MysqlOptions = {},
): HealthCheck {
  checkIndicatorOptions('mysql', options, ['validationQuery', 'clock'], { query: 'validationQuery' })
  const { validationQuery = 'SELECT 1', clock = systemClock } = options
  requireClient('mysql', client, 'a pool or connection of mysql2', ['promise', 'getConnection', 'query'])
  return createSqlCheck({
    session: sessionOf('promise' in client ? client.promise() : client, clock),
    validationQuery,
    versionQuery: 'SELECT VERSION() AS version',
    nameProduct,
    clock,
  })
}

function sessionOf(client: MysqlPool | MysqlConnection, clock: Clock): Session {
  if (!('getConnection' in client)) return connectionSession(queryOf(client), clock)
  return poolSession({ acquire: () => client.getConnection(), release }, queryOf)
}

function release(connection: MysqlPoolConnection, isBroken: boolean): void {
  if (!isBroken) {
    connection.release()
    return
  }
  connection.destroy()
  destroySocket(connection)
}

/** Closes the socket: `destroy()` of mysql2 waits for a FIN of the server, which one that hangs does not send. */
function destroySocket(connection: object): void {
  const inner: unknown = 'connection' in connection ? connection.connection : undefined
  const stream: unknown = typeof inner === 'object' && inner !== null && 'stream' in inner ? inner.stream : undefined
  if (typeof stream === 'object' && stream !== null && 'destroy' in stream && typeof stream.destroy === 'function') {
    stream.destroy()
  }
}

function queryOf(connection: MysqlConnection): Query {
  return async (text) => {
    const [rows] = await connection.query(text)
    return Array.isArray(rows) ? rows : []
  }
}

/** MariaDB returns `10.11.6-MariaDB-0+deb12u1`, or `5.5.5-10.11.6-MariaDB…` for compatibility with old clients. */
function nameProduct(version: string): string {
  const [, mariadb] = /(?:^|-)([\d.]+)-MariaDB/i.exec(version) ?? []
  return mariadb === undefined ? `MySQL ${/^[\d.]+/.exec(version)?.[0] ?? version}` : `MariaDB ${mariadb}`
}
