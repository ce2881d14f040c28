import pg from 'pg'
import type { Report } from 'upkeep'
import { postgres } from 'upkeep/health'
import { poolMeters, tracedPool } from 'upkeep/instrumentation'
import type { Database, Query } from './database.ts'

export interface PostgresOptions {
  /** How long to wait for a connection, and for a result, before the database counts as failing. @default 10000 */
  readonly timeoutMilliseconds?: number
}

/**
 * Returns a PostgreSQL database with a pool of connections, which are opened on demand. `report` is called for
 * connections that break while they are idle.
 */
export function openPostgres(
  url: string,
  report: Report,
  { timeoutMilliseconds = 10_000 }: PostgresOptions = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'webhook-receiver',
    connectionTimeoutMillis: timeoutMilliseconds,
    query_timeout: timeoutMilliseconds,
    keepAlive: true,
  })
  pool.on('error', (error) => report('A connection to the database broke', error))
  // Queries of requests are traced; those of the health check are not.
  const traced = tracedPool(pool)
  return {
    description: describe(url),
    variable: 'DATABASE_URL',
    health: postgres(pool),
    measure: (meters) => void poolMeters(meters, 'database', pool),
    query: queryOf(traced),
    transaction: (work) => inTransaction(traced, work),
    close: () => pool.end(),
  }
}

function describe(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `PostgreSQL at ${hostname}${port && `:${port}`}${pathname}`
}

function queryOf(client: pg.Pool | pg.PoolClient): Query {
  return async <Row>(sql: string, parameters: readonly unknown[] = []) => {
    const { rows } = await client.query(sql, [...parameters])
    return rows as readonly Row[]
  }
}

async function inTransaction<T>(pool: pg.Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(queryOf(client))
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // Closing the connection rolls the transaction back, in any state of the connection.
    client.release(true)
    throw error
  }
}
