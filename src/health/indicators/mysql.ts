import { type Clock, systemClock } from '../../base/clock.ts'
import type { HealthCheck } from '../indicator.ts'
import { checkClient } from './check-client.ts'
import { createInquiry } from './inquiry.ts'
import { createLease } from './lease.ts'
import { createSqlCheck, type Query, type Session } from './sql.ts'

/** What is asked of a `Connection` of mysql2/promise. */
export interface MysqlConnection {
  query(text: string): PromiseLike<readonly [unknown, ...unknown[]]>
}

/** What is asked of a `Pool` of mysql2/promise, or of a part of a `PoolCluster`. */
export interface MysqlPool {
  getConnection(): PromiseLike<MysqlPoolConnection>
}

export interface MysqlPoolConnection extends MysqlConnection {
  release(): void
  destroy(): void
}

/** What is asked of a `Pool` or `Connection` of mysql2, whose own methods take callbacks. */
export interface MysqlCallbackClient {
  promise(): MysqlPool | MysqlConnection
}

export interface MysqlOptions {
  /** @default 'SELECT 1' */
  readonly validationQuery?: string | undefined
  readonly clock?: Clock | undefined
}

/**
 * `UP` while MySQL or MariaDB answers a query: over a `Pool` or `Connection` of mysql2, with promises or with callbacks.
 * Details: `database` (product and version, asked once), `validationQuery`, `latency` (waiting for a free connection
 * included).
 *
 * A connection of a `Pool` that has not answered by the deadline is closed, so that the pool heals. Over a lone one, one
 * question at a time is under way.
 */
export function mysql(
  client: MysqlPool | MysqlConnection | MysqlCallbackClient,
  { validationQuery = 'SELECT 1', clock = systemClock }: MysqlOptions = {},
): HealthCheck {
  checkClient('mysql', client, 'a pool or connection of mysql2', ['promise', 'getConnection', 'query'])
  return createSqlCheck({
    session: sessionOf('promise' in client ? client.promise() : client, clock),
    validationQuery,
    versionQuery: 'SELECT VERSION() AS version',
    nameProduct,
    clock,
  })
}

function sessionOf(client: MysqlPool | MysqlConnection, clock: Clock): Session {
  if ('getConnection' in client) {
    return throughPool(client)
  }
  const query = queryOf(client)
  return (talk) => createInquiry(() => talk(query), { clock })
}

function throughPool(pool: MysqlPool): Session {
  const borrow = createLease<MysqlPoolConnection>({
    acquire: () => pool.getConnection(),
    release: (connection, broken) => {
      if (broken) {
        connection.destroy()
        destroySocket(connection)
      } else {
        connection.release()
      }
    },
  })
  return (talk) => (signal) => borrow(signal, (connection) => talk(queryOf(connection)))
}

/** `destroy()` of mysql2 says good-bye and waits for the server's, which one that hangs does not send. */
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

/** MariaDB says `10.11.6-MariaDB-0+deb12u1`, or `5.5.5-10.11.6-MariaDB…` to be understood by old clients. */
function nameProduct(version: string): string {
  const [, mariadb] = /(?:^|-)([\d.]+)-MariaDB/i.exec(version) ?? []
  return mariadb === undefined ? `MySQL ${/^[\d.]+/.exec(version)?.[0] ?? version}` : `MariaDB ${mariadb}`
}
