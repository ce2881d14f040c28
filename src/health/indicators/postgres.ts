import { type Clock, systemClock } from '../../base/clock.ts'
import type { HealthCheck } from '../indicator.ts'
import { checkClient } from './check-client.ts'
import { createInquiry } from './inquiry.ts'
import { createLease } from './lease.ts'
import { createSqlCheck, type Query, type Session } from './sql.ts'

/** What is asked of a `Client` of pg, or of a PGlite. */
export interface PostgresConnection {
  query(text: string): PromiseLike<{ readonly rows: readonly unknown[] }>
}

/** What is asked of a `Pool` of pg. */
export interface PostgresPool extends PostgresConnection {
  readonly totalCount: number
  connect(callback: (error: Error | undefined, connection: PostgresPoolConnection | undefined) => void): unknown
}

export interface PostgresPoolConnection extends PostgresConnection {
  release(broken?: boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
}

/** What is asked of a `Sql` of postgres.js. */
export interface PostgresSql {
  unsafe(text: string): PromiseLike<readonly unknown[]>
}

export interface PostgresOptions {
  /** @default 'SELECT 1' */
  readonly validationQuery?: string | undefined
  readonly clock?: Clock | undefined
}

/**
 * `UP` while the database answers a query: over a `Pool` or `Client` of pg, a `Sql` of postgres.js, or a PGlite. Details:
 * `database` (product and version, asked once), `validationQuery`, `latency` (waiting for a free connection included).
 *
 * A connection of a `Pool` that has not answered by the deadline is closed, so that the pool heals. Over the others one
 * question at a time is under way.
 */
export function postgres(
  client: PostgresPool | PostgresConnection | PostgresSql,
  { validationQuery = 'SELECT 1', clock = systemClock }: PostgresOptions = {},
): HealthCheck {
  checkClient('postgres', client, 'a Pool or Client of pg, a Sql of postgres.js, or a PGlite', ['query', 'unsafe'])
  return createSqlCheck({
    session: sessionOf(client, clock),
    validationQuery,
    versionQuery: 'SELECT version() AS version',
    nameProduct,
    clock,
  })
}

function sessionOf(client: PostgresPool | PostgresConnection | PostgresSql, clock: Clock): Session {
  if ('totalCount' in client) {
    return throughPool(client)
  }
  const query: Query = 'unsafe' in client ? (text) => client.unsafe(text) : queryOf(client)
  return (talk) => createInquiry(() => talk(query), { clock })
}

function throughPool(pool: PostgresPool): Session {
  const borrow = createLease<PostgresPoolConnection>({
    acquire: () => lendConnection(pool),
    release: (connection, broken) => {
      connection.release(broken)
      connection.removeListener('error', ignore)
    },
  })
  return (talk) => (signal) => borrow(signal, (connection) => talk(queryOf(connection)))
}

/**
 * A lent connection that breaks says so by an event too, and nobody else listens while it is lent. With the callback,
 * nothing comes between: a promise would be a moment late for a server that shuts down as it greets.
 */
function lendConnection(pool: PostgresPool): Promise<PostgresPoolConnection> {
  return new Promise((resolve, reject) => {
    pool.connect((error, connection) => {
      if (connection === undefined) {
        reject(error)
      } else {
        connection.on('error', ignore)
        resolve(connection)
      }
    })
  })
}

function queryOf(connection: PostgresConnection): Query {
  return async (text) => (await connection.query(text)).rows
}

function ignore(): void {}

/** `PostgreSQL 17.2 (Debian 17.2-1) on x86_64…` and `CockroachDB CCL v23.1.0 (x86_64…` say more than a name and a version. */
function nameProduct(version: string): string {
  const [, product, number] = /^(\w+)(?: [A-Z]+)? v?(\d[\w.]*)/.exec(version) ?? []
  return product === undefined || number === undefined ? version : `${product} ${number}`
}
