import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
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
  return useDatabase(server, 'with (force)', async (statement) => {
    const client = new pg.Client({ ...server, database: 'postgres' })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  })
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
  execute: (statement: string) => Promise<void>,
): TestDatabase {
  const database = uniqueName('upkeep_test')
  beforeAll(() => execute(`create database ${database}`))
  afterAll(() => execute(`drop database if exists ${database} ${dropOptions}`))
  return { ...server, database }
}
