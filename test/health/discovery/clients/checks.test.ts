import { describe, expect, it, vi } from 'vitest'
import { knex } from '../../../../src/health/discovery/clients/knex.ts'
import { mssqlPool } from '../../../../src/health/discovery/clients/mssql-pool.ts'
import { postgresJs } from '../../../../src/health/discovery/clients/postgres-js.ts'
import { sqlite } from '../../../../src/health/discovery/clients/sqlite.ts'

const sql = (parameters: object, retries: number) => ({ parameters, options: { shared: { retries } } })

describe('the check of a client', () => {
  const { signal } = new AbortController()
  const latency = expect.stringMatching(/ms$/)

  it('of Knex runs a query over a connection, which it releases also when that fails', async () => {
    const released: object[] = []
    const connection = {}
    const client = {
      acquireConnection: async () => connection,
      releaseConnection: async (each: object) => void released.push(each),
      query: vi.fn(async (): Promise<unknown> => []),
    }
    expect(await knex.checkOf(client as never)(signal)).toMatchObject({ status: 'UP' })
    expect(client.query.mock.calls).toEqual([[connection, { sql: 'SELECT 1' }]])
    client.query.mockRejectedValueOnce(new Error('refused'))
    expect(await knex.checkOf(client as never)(signal)).toMatchObject({
      status: 'DOWN',
      details: { error: 'Error: refused' },
    })
    expect(released).toEqual([connection, connection])
  })

  it('of mssql names the product by its version', async () => {
    const version = 'Microsoft SQL Server 2022 (RTM-CU17) (KB5048038) - 16.0.4175.1 (X64)'
    const query = vi.fn(async (text: string) => ({ recordset: text.includes('VERSION') ? [{ version }] : [] }))
    const check = mssqlPool.checkOf({ request: () => ({ query }) } as never)
    expect(await check(signal)).toEqual({
      status: 'UP',
      details: { database: 'Microsoft SQL Server 2022', validationQuery: 'SELECT 1', latency },
    })
    expect(query.mock.calls).toEqual([['SELECT 1'], ['SELECT @@VERSION AS version']])
  })

  it('of SQLite names its version', async () => {
    const prepare = vi.fn((text: string) => ({ all: () => (text.includes('version') ? [{ version: '3.46.1' }] : []) }))
    expect(await sqlite.checkOf({ prepare } as never)(signal)).toMatchObject({ details: { database: 'SQLite 3.46.1' } })
    expect(prepare.mock.calls).toEqual([['SELECT 1'], ['SELECT sqlite_version() AS version']])
  })

  it('of postgres.js learns that the application has ended it, and no other failure', async () => {
    const unsafe = vi.fn(async (): Promise<readonly unknown[]> => [])
    const client = { unsafe, ...sql({}, 1) }
    const check = postgresJs.checkOf(client as never)
    for (const failure of [new Error('refused'), Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'text']) {
      unsafe.mockRejectedValueOnce(failure)
      expect(await check(signal)).toMatchObject({ status: 'DOWN' })
      expect(postgresJs.stateOf(client as never)).toBe('open')
    }
    unsafe.mockRejectedValueOnce(Object.assign(new Error('ended'), { code: 'CONNECTION_ENDED' }))
    expect(await check(signal)).toMatchObject({ status: 'DOWN' })
    expect(postgresJs.stateOf(client as never)).toBe('ended')
  })
})
