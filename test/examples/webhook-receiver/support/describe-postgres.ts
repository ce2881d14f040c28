import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describeServer } from '../../../support/describe-server.ts'
import { findProgram } from '../../../support/programs.ts'
import type { TestServer } from '../../../support/server-process.ts'
import { startPostgres } from '../../../support/start-postgres.ts'

/** `describe` for tests that start a PostgreSQL server. */
export function describePostgres(body: (server: () => TestServer) => void): void {
  const program = findProgram('initdb')
  describeServer({ name: 'PostgreSQL', program, install: 'apt-get install postgresql', start: startPostgres }, body)
}

/** Creates an empty database, and returns its URL. */
export async function createTestDatabase(
  server: TestServer,
  name = `receiver_${randomBytes(6).toString('hex')}`,
): Promise<string> {
  await execute(server, `create database ${name}`)
  return server.url.replace(/postgres$/, name)
}

/** Drops a database, and closes the connections to it. */
export async function dropTestDatabase(server: TestServer, url: string): Promise<void> {
  await execute(server, `drop database ${new URL(url).pathname.slice(1)} with (force)`)
}

async function execute({ url }: TestServer, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
