import pg from 'pg'
import { postgres, type Report } from 'upkeep'
import type { Database, Query } from './database.ts'

/** Opens a pool of connections to a PostgreSQL. `report` hears of connections that break while nobody uses them. */
export function openPostgres(url: string, report: Report): Database {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'webhook-receiver',
    // A database that hangs becomes an error that the sender is told of, not a request that hangs as well.
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
    keepAlive: true,
  })
  pool.on('error', (error) => report('A connection to the database broke', error))
  return {
    description: describe(url),
    health: postgres(pool),
    query: queryOf(pool),
    transaction: (work) => inTransaction(pool, work),
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
    // Without its connection the transaction is rolled back, whatever state the connection was in.
    client.release(true)
    throw error
  }
}
