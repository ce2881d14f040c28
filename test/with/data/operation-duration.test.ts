import { tracingChannel } from 'node:diagnostics_channel'
import { Redis } from 'ioredis'
import mongoose, { type Connection } from 'mongoose'
import mssql from 'mssql'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { createClient } from 'redis'
import { createManagement } from 'upkeep'
import { instrument, tracedPool } from 'upkeep/instrumentation'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { processTracing } from '../../support/process-tracing.ts'
import { managementsOfBothConventions, recordedSeries } from '../../support/timed-operations.ts'
import { uniqueName } from '../../support/unique-name.ts'
import { useMariadbDatabase, usePostgresDatabase } from '../../support/use-database.ts'
import { useServer } from '../../support/use-server.ts'
import { startFakeMongodb } from './fake-mongodb.ts'

const name = 'db.client.operation.duration'

function observe() {
  const managements = managementsOfBothConventions()
  const { micrometer, opentelemetry } = managements
  for (const management of [micrometer, opentelemetry]) {
    instrument(management)
    onTestFinished(() => management.close())
  }
  return {
    /** The operations in both conventions. */
    recorded: () => ({
      micrometer: recordedSeries(micrometer.meters, name),
      opentelemetry: recordedSeries(opentelemetry.meters, name),
    }),
    opentelemetry,
  }
}

type Sql = (statement: string) => Promise<unknown>

function timesSql(system: string, port: number, status: string, database: { readonly database: string }, sql: Sql) {
  it('is timed without tracing, by operation and table, in both conventions', async () => {
    const { recorded, opentelemetry } = observe()
    expect(processTracing()).toBeUndefined()
    await sql('select 1 as one from orders where id = 7')
    await sql('select 2 as two from orders')
    await expect(sql('insert into missing values (1)')).rejects.toThrow()
    const server = { 'server.address': '127.0.0.1' }
    const namespace = database.database
    expect(recorded().micrometer).toEqual([
      [{ ...server, system, namespace, operation: 'SELECT', collection: 'orders', error: 'none' }, 2],
      [{ ...server, system, namespace, operation: 'INSERT', collection: 'missing', error: expect.any(String) }, 1],
    ])
    const common = { ...server, 'server.port': String(port), 'db.system.name': system, 'db.namespace': namespace }
    const failure = { 'error.type': status, 'db.response.status_code': status }
    expect(recorded().opentelemetry).toEqual([
      [{ ...common, 'db.operation.name': 'SELECT', 'db.collection.name': 'orders' }, 2],
      [{ ...common, 'db.operation.name': 'INSERT', 'db.collection.name': 'missing', ...failure }, 1],
    ])
    const [timer] = opentelemetry.meters.snapshot(name)
    expect(timer).toMatchObject({ buckets: { bounds: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] } })
  })
}

await describeRunningServers([running.postgres], () => {
  const database = usePostgresDatabase()
  const pool = new pg.Pool({ ...database, max: 2 })
  beforeAll(() => pool.query('create table orders (id int primary key)'))
  afterAll(() => pool.end())

  describe('a query of a wrapped pg pool', () => {
    timesSql('postgresql', 5432, '42P01', database, (statement) => tracedPool(pool).query(statement))

    it.each<[string, (wrapped: pg.Pool) => Promise<unknown>]>([
      ['a callback', (wrapped) => new Promise((resolve) => wrapped.query('select 1 from orders', resolve))],
      [
        'a client of the pool',
        async (wrapped) => {
          const client = await wrapped.connect()
          await client.query('select 1 from orders').finally(() => client.release())
        },
      ],
      [
        'events',
        (wrapped) =>
          new Promise<void>((resolve, reject) => {
            wrapped.connect().then((client) => {
              const query = client.query(new pg.Query('select 1 from orders'))
              query.on('end', () => {
                client.release()
                resolve()
              })
            }, reject)
          }),
      ],
    ])('is timed once with %s', async (_, query) => {
      const { recorded } = observe()
      await query(tracedPool(pool))
      await expect.poll(() => recorded().micrometer).toMatchObject([[{ operation: 'SELECT', collection: 'orders' }, 1]])
    })
  })
})

await describeRunningServers([running.mariadb], () => {
  const database = useMariadbDatabase()
  const pool = createPool({ ...database, connectionLimit: 2 })
  beforeAll(() => pool.query('create table orders (id int primary key)'))
  afterAll(() => pool.end())

  describe('a statement of mysql2', () => {
    timesSql('mysql', 3306, '1146', database, (statement) => pool.query(statement))
  })
})

await describeRunningServers([running.redis], () => {
  const key = uniqueName('upkeep-test')
  const io = new Redis({ host: '127.0.0.1', lazyConnect: true })
  const node = createClient({ url: 'redis://127.0.0.1:6379' })
  beforeAll(async () => {
    await Promise.all([io.connect(), node.connect()])
  })
  afterAll(async () => {
    await io.del(key)
    io.disconnect()
    node.destroy()
  })

  it.each([
    ['ioredis', { set: () => io.set(key, 'x'), list: () => io.lpush(key, 'x') }],
    ['node-redis', { set: () => node.set(key, 'x'), list: () => node.lPush(key, 'x') }],
  ])('a command of %s is timed without tracing, without its key', async (_, client) => {
    const { recorded } = observe()
    await client.set()
    await expect(client.list()).rejects.toThrow('WRONGTYPE')
    const { micrometer, opentelemetry } = recorded()
    const common = { system: 'redis', namespace: '0', collection: 'none', 'server.address': expect.any(String) }
    expect(micrometer).toEqual([
      [{ ...common, operation: 'SET', error: 'none' }, 1],
      [{ ...common, operation: 'LPUSH', error: expect.any(String) }, 1],
    ])
    expect(opentelemetry).toMatchObject([
      [{ 'db.system.name': 'redis', 'db.operation.name': 'SET', 'server.port': '6379' }, 1],
      [{ 'db.operation.name': 'LPUSH', 'error.type': 'WRONGTYPE' }, 1],
    ])
    expect(JSON.stringify([micrometer, opentelemetry])).not.toContain(key)
  })
})

describe('an operation of mongoose', () => {
  const server = useServer(startFakeMongodb)
  let connection: Connection
  beforeAll(async () => {
    connection = await mongoose
      .createConnection(server().url, { dbName: 'shop', autoCreate: false, autoIndex: false })
      .asPromise()
  })
  afterAll(() => connection.close())

  it('is timed without tracing, by operation and collection', async () => {
    const { recorded } = observe()
    const schema = new mongoose.Schema<{ customer: string }>({ customer: String })
    await connection.model<{ customer: string }>('Order', schema, 'orders').find({ customer: 'x' }).exec()
    expect(recorded().opentelemetry).toEqual([
      [
        {
          'db.system.name': 'mongodb',
          'db.operation.name': 'find',
          'db.collection.name': 'orders',
          'db.namespace': 'shop',
          'server.address': '127.0.0.1',
          'server.port': String(server().port),
        },
        1,
      ],
    ])
  })
})

describe('a request of mssql', () => {
  it('is timed without tracing, by operation and table, or by its procedure', async () => {
    const { recorded } = observe()
    const pool = new mssql.ConnectionPool({ server: '127.0.0.1', port: 1, user: 'x', password: 'x' })
    await expect(pool.request().query("select * from [Orders] where name = N'x'")).rejects.toThrow()
    await expect(pool.request().execute('place_order')).rejects.toThrow()
    const common = { 'db.system.name': 'microsoft.sql_server', 'error.type': 'ECONNCLOSED' }
    expect(recorded().opentelemetry).toEqual([
      [{ ...common, 'db.operation.name': 'SELECT', 'db.collection.name': 'Orders' }, 1],
      [{ ...common, 'db.operation.name': 'EXECUTE', 'db.stored_procedure.name': 'place_order' }, 1],
    ])
  })
})

describe('the series of db.client.operation.duration', () => {
  it('are limited, with a report that names the tag with the most values', async () => {
    const reported: string[] = []
    const management = createManagement({
      metrics: { runtime: false, maximumSeriesPerMeter: 10 },
      report: (message) => reported.push(message),
    })
    onTestFinished(() => management.close())
    instrument(management)
    for (let n = 0; n < 2_000; n++) {
      const statement = { command: `select 1 from temporary_${n}` }
      await tracingChannel('mssql:query').tracePromise(async () => {}, statement)
    }
    expect(recordedSeries(management.meters, name)).toHaveLength(11)
    expect(reported).toEqual([expect.stringContaining("The tag 'collection' has the most values")])
  })
})
