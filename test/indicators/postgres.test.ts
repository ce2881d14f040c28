import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import postgresJs from 'postgres'
import { describe, expect, it } from 'vitest'
import { postgres } from '../../src/indicators/postgres.ts'
import { describeServer } from '../support/describe-server.ts'
import { findProgram } from '../support/programs.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { testBackend } from './backend-suite.ts'

const never = new AbortController().signal
const details = { database: expect.stringMatching(/^PostgreSQL \d+\.\d+$/), validationQuery: 'SELECT 1' }

describeServer(
  { name: 'PostgreSQL', program: findProgram('initdb'), install: 'apt-get install postgresql', start: startPostgres },
  (server) => {
    testBackend(server, {
      client: 'a Pool of pg',
      connect: async (connectionString) => {
        const pool = new pg.Pool({ connectionString, max: 4 })
        pool.on('error', () => {})
        const close = () => (pool.ending ? undefined : pool.end())
        return { indicator: postgres(pool), close, load: () => pool.totalCount + pool.waitingCount }
      },
      details,
    })

    testBackend(server, {
      client: 'a Client of pg',
      connect: async (connectionString) => {
        const client = new pg.Client({ connectionString })
        client.on('error', () => {})
        await client.connect()
        return { indicator: postgres(client), close: () => client.end(), load: () => client.listenerCount('error') }
      },
      details,
      comesBack: false,
    })

    testBackend(server, {
      client: 'a Sql of postgres.js',
      connect: async (url) => {
        const sql = postgresJs(url, { max: 4, backoff: () => 0.05 })
        return { indicator: postgres(sql), close: () => sql.end({ timeout: 1 }) }
      },
      details,
    })
  },
)

describe('postgres over PGlite', () => {
  it('is up with product and version, query and latency, and down once closed', async () => {
    const database = new PGlite()
    const indicator = postgres(database)

    expect(await indicator(never)).toEqual({
      status: 'UP',
      details: {
        database: expect.stringMatching(/^PostgreSQL \d+\.\d+$/),
        validationQuery: 'SELECT 1',
        latency: expect.stringMatching(/^\d+(\.\d+)?ms$/),
      },
    })

    await database.close()

    expect(await indicator(never)).toEqual({
      status: 'DOWN',
      details: {
        database: expect.stringMatching(/^PostgreSQL \d+\.\d+$/),
        validationQuery: 'SELECT 1',
        error: 'Error: PGlite is closed',
      },
    })
  })
})
