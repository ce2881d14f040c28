import pg from 'pg'
import postgresJs from 'postgres'
import { postgres } from 'upkeep/health'
import { describe, expect, it } from 'vitest'
import { describeServer } from '../../support/describe-server.ts'
import { findProgram } from '../../support/programs.ts'
import { startPostgres } from '../../support/start-postgres.ts'
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
      isPool: true,
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

    describe('over a Pool of pg', () => {
      const connect = (options: pg.PoolConfig = {}) => new pg.Pool({ connectionString: server().url, ...options })

      it('requests the version once for any number of checks', async () => {
        const requested: string[] = []
        const client = new pg.Client(server().url)
        await client.connect()
        const query = (text: string) => {
          requested.push(text)
          return client.query(text)
        }
        const indicator = postgres({ query }, { validationQuery: 'SELECT 2' })
        await indicator(never)
        await indicator(never)
        await client.end()

        expect(requested).toEqual(['SELECT 2', 'SELECT version() AS version', 'SELECT 2'])
      })

      it('is DOWN when the validation query fails, without affecting the pool', async () => {
        const pool = connect({ max: 1 })
        const indicator = postgres(pool, { validationQuery: 'SELECT * FROM absent' })

        for (let times = 0; times < 3; times++) {
          expect(await indicator(never)).toEqual({
            status: 'DOWN',
            details: {
              validationQuery: 'SELECT * FROM absent',
              error: 'error: relation "absent" does not exist (42P01)',
            },
          })
        }
        expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
        await pool.end()
      })

      it('waits for a pool whose connections are all in use, times out, and is UP when one is free', async () => {
        const pool = connect({ max: 1 })
        const indicator = postgres(pool)
        const connection = await pool.connect()
        for (let times = 0; times < 10; times++) {
          const signal = AbortSignal.timeout(5)
          await expect(indicator(signal)).rejects.toSatisfy((error) => error === signal.reason)
        }
        expect(pool.waitingCount).toBe(3)
        connection.release()

        expect(await indicator(never)).toMatchObject({ status: 'UP' })
        await expect.poll(() => [pool.totalCount, pool.idleCount, pool.waitingCount]).toEqual([1, 1, 0])
        expect(connection.listenerCount('error')).toBe(1)
        await pool.end()
      })

      it('closes a connection that hangs without an error of the pool', async () => {
        const pool = connect()
        const errors: Error[] = []
        pool.on('error', (error) => errors.push(error))
        const indicator = postgres(pool)
        await indicator(never)
        server().freeze()
        const signal = AbortSignal.timeout(20)
        await expect(indicator(signal)).rejects.toSatisfy((error) => error === signal.reason)
        expect(pool.totalCount).toBe(0)
        server().thaw()

        expect(await indicator(never)).toMatchObject({ status: 'UP' })
        expect(errors).toEqual([])
        await pool.end()
      })

      it('does not show the password', async () => {
        const pool = new pg.Pool({
          connectionString: server().url.replace('@', ':s3cret@').replace('postgres:', 'postgresql:'),
        })
        const closed = new pg.Pool({ connectionString: 'postgres://app:s3cret@127.0.0.1:1/orders' })

        expect(JSON.stringify(await postgres(pool)(never))).not.toContain('s3cret')
        expect(JSON.stringify(await postgres(closed)(never))).not.toContain('s3cret')
        await Promise.all([pool.end(), closed.end()])
      })
    })
  },
)
