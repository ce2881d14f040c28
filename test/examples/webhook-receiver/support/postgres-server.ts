import { randomBytes } from 'node:crypto'
import pg from 'pg'

const server = 'postgres://postgres@127.0.0.1:5432/postgres'

/** Whether there is a PostgreSQL to try things on. Says how to start one where there is none. */
export async function isPostgresThere(): Promise<boolean> {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 3_000 })
  try {
    await client.connect()
    await client.end()
    return true
  } catch (error) {
    const how = `${server} does not answer. Start one: pg_ctl start, or docker run -p 5432:5432 -e POSTGRES_HOST_AUTH_METHOD=trust postgres`
    if (process.env['UPKEEP_REQUIRE_SERVERS'] === '1') throw new Error(how, { cause: error })
    console.warn(`SKIPPED: ${how}`)
    return false
  }
}

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** A database of its own on that server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `receiver_${randomBytes(6).toString('hex')}`
  await run(`create database ${name}`)
  return { url: server.replace(/postgres$/, name), drop: () => run(`drop database if exists ${name} with (force)`) }
}

async function run(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(sql)
  await client.end()
}
