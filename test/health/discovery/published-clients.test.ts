import { channel } from 'node:diagnostics_channel'
import { Kafka, logLevel } from 'kafkajs'
import { connect } from 'nats'
import postgres from 'postgres'
import { createManagement } from 'upkeep'
import { discoverClients } from 'upkeep/health'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeKafka } from '../../support/fake-kafka.ts'
import { freePort } from '../../support/free-port.ts'

function discover() {
  const discovery = discoverClients()
  const management = createManagement({ report: () => {}, health: { discover: discovery } })
  onTestFinished(() => {
    management.close()
    discovery.close()
  })
  return { discovery, health: management.health }
}

const publish = (client: unknown) => channel('upkeep.client').publish(client)

/** A database of better-sqlite3, which is native, as far as it is used. */
class FakeSqlite {
  open = true
  readonly inTransaction = false
  readonly memory = false
  readonly name: string
  all: (text: string) => object[] = (text) => [text.includes('sqlite_version') ? { version: '3.46.1' } : { 1: 1 }]

  constructor(name = '/data/orders.db') {
    this.name = name
  }

  prepare = (text: string) => ({ all: () => this.all(text) })
  exec(): void {}
  close(): void {}
}

describe('a client that the application publishes on the channel upkeep.client', () => {
  it('is a component at any time until discovery is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { discovery, health } = discover()
    vi.advanceTimersByTime(600_000)
    const database = new FakeSqlite()
    publish(database)
    expect(await health.check('db')).toEqual({
      status: 'UP',
      details: { database: 'SQLite 3.46.1', latency: expect.stringMatching(/ms$/), name: '/data/orders.db' },
    })
    discovery.close()
    const another = new FakeSqlite('/data/other.db')
    publish(another)
    expect((await health.check('db'))?.components).toBeUndefined()
  })

  it.each([undefined, null, 'redis://cache', 5, {}, () => {}])('is ignored if it is %s', async (client) => {
    const { health } = discover()
    publish(client)
    expect(Object.keys((await health.check()).components ?? {})).toEqual([
      ...['diskSpace', 'livenessState', 'readinessState'],
    ])
  })
})

describe('a database of better-sqlite3', () => {
  it('is DOWN when it cannot be read, and disappears when it is closed or collected', async () => {
    const { discovery, health } = discover()
    const database = new FakeSqlite()
    discovery.add(database)
    database.all = () => {
      throw new Error('disk I/O error')
    }
    expect(await health.check('db')).toMatchObject({ status: 'DOWN', details: { error: 'Error: disk I/O error' } })
    database.open = false
    expect(await health.check('db')).toBeUndefined()
    await (async () => discovery.add(new FakeSqlite()))()
    await eventually(async () => {
      collectGarbage()
      expect(await health.check('db')).toBeUndefined()
    })
  })
})

const sqlite = process.getBuiltinModule('node:sqlite' as never) as
  | { readonly DatabaseSync: new (path: string) => { close(): void } }
  | undefined

const missing = sqlite === undefined ? ` (from Node 22.13, this is ${process.version})` : ''

describe.skipIf(missing !== '')(`a database of node:sqlite${missing}`, () => {
  it('is a component until it is closed', async () => {
    if (sqlite === undefined) throw new Error('node:sqlite does not exist')
    const { discovery, health } = discover()
    const database = new sqlite.DatabaseSync(':memory:')
    discovery.add(database)
    expect(await health.check('db')).toMatchObject({
      status: 'UP',
      details: { database: expect.stringMatching(/^SQLite 3\.\d+/), name: ':memory:' },
    })
    database.close()
    expect((await health.check('db'))?.status).not.toBe('UP')
  })
})

describe('an admin of kafkajs', () => {
  it('is the component kafka until it is disconnected', async () => {
    const { discovery, health } = discover()
    const server = await startFakeKafka()
    onTestFinished(() => server.dispose())
    const admin = new Kafka({ brokers: [server.url], logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    discovery.add(admin)
    expect(await health.check('kafka')).toMatchObject({ status: 'UP', details: { brokers: 1 } })
    await admin.disconnect()
    expect(await health.check('kafka')).toBeUndefined()
  })
})

describe('a function of postgres.js', () => {
  it('is UNKNOWN before it is used, and DOWN once it could not connect', async () => {
    const { discovery, health } = discover()
    const port = await freePort()
    const sql = postgres({ host: '127.0.0.1', port, database: 'orders', password: 's3cret', user: 'app_user' })
    discovery.add(sql)
    expect(await health.check('db')).toEqual({
      status: 'UNKNOWN',
      details: { host: '127.0.0.1', port, name: 'orders' },
    })
    await expect(sql`SELECT 1`).rejects.toThrow('ECONNREFUSED')
    await expect.poll(async () => (await health.check('db'))?.status).toBe('DOWN')
    const down = await health.check('db')
    expect(down?.details).toMatchObject({ error: expect.stringContaining('ECONNREFUSED'), name: 'orders' })
    expect(JSON.stringify(down)).not.toMatch(/s3cret|app_user|SELECT/)
    await sql.end({ timeout: 0 })
  })
})

await describeRunningServers([running.postgres], () => {
  it('a function of postgres.js is a component until the application ends it', async () => {
    const { discovery, health } = discover()
    const sql = postgres({ host: '127.0.0.1', database: 'postgres', user: 'postgres', max: 1 })
    discovery.add(sql)
    await sql`SELECT 1`
    // Its only connection is in use: the check is sent over it, behind this one.
    const slow = sql`SELECT pg_sleep(0.2)`.execute()
    expect(await health.check('db')).toMatchObject({
      status: 'UP',
      details: { database: expect.stringMatching(/^PostgreSQL \d+/), host: '127.0.0.1', port: 5432, name: 'postgres' },
    })
    await slow
    await sql.end()
    await expect.poll(() => health.check('db')).toBeUndefined()
  })
})

await describeRunningServers([running.nats], () => {
  it('a connection of nats is a component until the application closes it', async () => {
    const { discovery, health } = discover()
    const connection = await connect({ servers: '127.0.0.1:4222' })
    discovery.add(connection)
    expect(await health.check('nats')).toMatchObject({
      status: 'UP',
      details: { server: expect.stringMatching(/^NATS \d+/), host: '127.0.0.1', port: 4222 },
    })
    await connection.close()
    await expect.poll(() => health.check('nats')).toBeUndefined()
  })
})
