import { Queue, Worker } from 'bullmq'
import { drizzle } from 'drizzle-orm/node-postgres'
import createKnex from 'knex'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { MongoClient } from 'mongodb'
import mongoose from 'mongoose'
import mssql from 'mssql'
import pg from 'pg'
import postgres from 'postgres'
import { DataSource } from 'typeorm'
import { createManagement } from 'upkeep'
import { type ClientDiscovery, discoverClients } from 'upkeep/health'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testDiscoveredStates } from '../../health/discovery/discovered-state-suite.ts'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { freePort } from '../../support/free-port.ts'
import { uniqueName } from '../../support/unique-name.ts'
import { usePostgresDatabase } from '../../support/use-database.ts'
import { useServer } from '../../support/use-server.ts'
import { startFakeMongodb } from './fake-mongodb.ts'

function discover() {
  const discovery = discoverClients({ kinds: ['db', 'mongo', 'redis'] })
  const { health, close } = createManagement({ report: () => {}, health: { discover: discovery } })
  onTestFinished(() => {
    close()
    discovery.close()
  })
  return { discovery, health }
}

interface Database {
  readonly query: () => PromiseLike<unknown>
  readonly end: () => PromiseLike<unknown>
}

await describeRunningServers([running.postgres], () => {
  const database = usePostgresDatabase()
  const connectionString = () => `postgres://postgres@127.0.0.1:5432/${database.database}`

  const libraries: Readonly<Record<string, (discovery: ClientDiscovery) => Promise<Database> | Database>> = {
    Drizzle() {
      const db = drizzle(connectionString())
      return { query: () => db.execute('SELECT 1'), end: () => db.$client.end() }
    },
    Kysely() {
      const db = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool(database) }) })
      return { query: () => sql`SELECT 1`.execute(db), end: () => db.destroy() }
    },
    async TypeORM() {
      const db = await new DataSource({ type: 'postgres', url: connectionString() }).initialize()
      return { query: () => db.query('SELECT 1'), end: () => db.destroy() }
    },
    Knex() {
      const db = createKnex({ client: 'pg', connection: connectionString(), pool: { min: 0, max: 3 } })
      return { query: () => db.raw('SELECT 1'), end: () => db.destroy() }
    },
    'postgres.js'(discovery) {
      const db = postgres(connectionString())
      discovery.add(db)
      return { query: () => db`SELECT 1`, end: () => db.end() }
    },
  }

  it.each(Object.entries(libraries))('%s appears once', async (_name, create) => {
    const { discovery, health } = discover()
    const { query, end } = await create(discovery)
    await Promise.all([query(), query(), query()])
    expect(await health.check('db')).toMatchObject({
      status: 'UP',
      details: { host: '127.0.0.1', port: 5432, name: database.database },
    })
    await end()
    await expect.poll(() => health.check('db')).toBeUndefined()
  })
})

await describeRunningServers([running.redis], () => {
  it('a queue and a worker of BullMQ appear once', async () => {
    const { health } = discover()
    const [name, connection] = [uniqueName('queue'), { host: '127.0.0.1', port: 6379 }]
    const queue = new Queue(name, { connection })
    const worker = new Worker(name, async () => {}, { connection })
    const completed = new Promise((resolve) => worker.once('completed', resolve))
    await queue.add('send', {})
    await completed
    expect(await health.check('redis')).toMatchObject({
      status: 'UP',
      details: { server: expect.stringMatching(/\d/), host: '127.0.0.1', port: 6379 },
    })
    await worker.close()
    await queue.obliterate({ force: true })
    await queue.close()
    await expect.poll(() => health.check('redis')).toBeUndefined()
  })
})

describe('mongodb', () => {
  const server = useServer(startFakeMongodb)

  testDiscoveredStates(server, {
    client: 'a MongoClient',
    component: 'mongo',
    connect: async (url) => {
      const client = new MongoClient(url, { serverSelectionTimeoutMS: 100, heartbeatFrequencyMS: 500, maxPoolSize: 4 })
      // The driver keeps a client closed whose first connection failed, until the application connects it again.
      let isEnded = false
      const connectClient = (): void => void client.connect().catch(() => isEnded || connectClient())
      connectClient()
      return {
        client,
        end: () => {
          isEnded = true
          return client.close()
        },
      }
    },
    details: { server: 'MongoDB 7.0.14' },
  })

  it('of Mongoose appears once', async () => {
    const { health } = discover()
    const connection = await mongoose.createConnection(server().url).asPromise()
    expect(await health.check('mongo')).toMatchObject({ status: 'UP', details: { port: server().port } })
    await connection.close()
    await expect.poll(() => health.check('mongo')).toBeUndefined()
  })
})

describe('a pool of mssql', () => {
  // Its server cannot be had here.
  it('is UNKNOWN until it has connected', async () => {
    const { health } = discover()
    const port = await freePort()
    const pool = new mssql.ConnectionPool({
      ...{ server: '127.0.0.1', port, database: 'orders', user: 'app_user', password: 's3cret' },
    })
    await Promise.resolve()
    const where = { host: '127.0.0.1', port, name: 'orders' }
    expect(await health.check('db')).toEqual({ status: 'UNKNOWN', details: where })
    await expect(pool.connect()).rejects.toThrow(`Failed to connect to 127.0.0.1:${port}`)
    expect(await health.check('db')).toEqual({ status: 'UNKNOWN', details: where })
  })
})
