import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { uniqueName } from './unique-name.ts'

/** Where a database is, in the options of its client. */
export interface TestDatabase {
  readonly host: string
  readonly user: string
  readonly database: string
}

/** Creates a database in the running PostgreSQL for the tests of this `describe`, and drops it after them. */
export function usePostgresDatabase(): TestDatabase {
  const server = { host: '127.0.0.1', user: 'postgres' }
  const execute = async (statement: string) => {
    const client = new pg.Client({ ...server, database: 'postgres' })
    await client.connect()
    return client.query(statement).finally(() => client.end())
  }
  const created = useDatabase(server, 'with (force)', execute)
  // A pool has ended before the server has closed its sessions, and one that is dropped then is an error of the client.
  afterAll(async () => {
    const sessions = `select pid from pg_stat_activity where datname = '${created.database}'`
    const areClosed = async () => expect((await execute(sessions)).rowCount).toBe(0)
    await vi.waitFor(areClosed, { timeout: 180_000, interval: 20 })
  })
  return created
}

/** Creates a database in the running MariaDB for the tests of this `describe`, and drops it after them. */
export function useMariadbDatabase(): TestDatabase {
  const server = { host: '127.0.0.1', user: 'root' }
  return useDatabase(server, '', async (statement) => {
    const connection = await createConnection(server)
    await connection.query(statement).finally(() => connection.end())
  })
}

function useDatabase(
  server: Omit<TestDatabase, 'database'>,
  dropOptions: string,
  execute: (statement: string) => Promise<unknown>,
): TestDatabase {
  const database = uniqueName('upkeep_test')
  beforeAll(() => execute(`create database ${database}`))
  afterAll(() => execute(`drop database if exists ${database} ${dropOptions}`))
  return { ...server, database }
}
