import { describe, expect, it } from 'vitest'
import type { ClientKind } from '../../../../src/health/discovery/client-kind.ts'
import { amqplib } from '../../../../src/health/discovery/clients/amqplib.ts'
import { clientKinds } from '../../../../src/health/discovery/clients/client-kinds.ts'
import { ioredis } from '../../../../src/health/discovery/clients/ioredis.ts'
import { kafkajsAdmin } from '../../../../src/health/discovery/clients/kafkajs-admin.ts'
import { knex } from '../../../../src/health/discovery/clients/knex.ts'
import { mongoClient } from '../../../../src/health/discovery/clients/mongodb.ts'
import { mssqlPool } from '../../../../src/health/discovery/clients/mssql-pool.ts'
import { mysql2Connection, mysql2Pool } from '../../../../src/health/discovery/clients/mysql2-clients.ts'
import { natsConnection } from '../../../../src/health/discovery/clients/nats-connection.ts'
import { nodeRedis } from '../../../../src/health/discovery/clients/node-redis.ts'
import { pgClient, pgPool } from '../../../../src/health/discovery/clients/pg-clients.ts'
import { postgresJs } from '../../../../src/health/discovery/clients/postgres-js.ts'
import { sqlite } from '../../../../src/health/discovery/clients/sqlite.ts'

const run = () => undefined
const functionWith = (members: object) => Object.assign(() => {}, members)

/** For each kind, the members by which its clients are known. */
const shapes: readonly (readonly [string, ClientKind<never>, object])[] = [
  ['knex', knex, { acquireConnection: run, releaseConnection: run, queryCompiler: run }],
  ['pgPool', pgPool, { totalCount: 0, waitingCount: 0, connect: run }],
  ['pgClient', pgClient, { connectionParameters: {}, query: run, connect: run, end: run }],
  ['mysql2Pool', mysql2Pool, { _allConnections: [], getConnection: run, promise: run }],
  ['mysql2Connection', mysql2Connection, { threadId: 1, config: {}, promise: run, ping: run }],
  ['mssqlPool', mssqlPool, { connecting: false, config: {}, request: run, transaction: run, batch: run }],
  ['node:sqlite', sqlite, { prepare: run, exec: run, close: run, open: run, createSession: run }],
  ['better-sqlite3', sqlite, { prepare: run, exec: run, close: run, inTransaction: false, memory: false }],
  ['ioredis', ioredis, { connector: {}, status: 'ready', sendCommand: run, ping: run }],
  ['nodeRedis', nodeRedis, { isOpen: true, isReady: true, sendCommand: run, ping: run }],
  ['mongoClient', mongoClient, { s: {}, db: run, startSession: run, connect: run }],
  ['amqplib', amqplib, { connection: {}, createChannel: run, createConfirmChannel: run, updateSecret: run }],
  ['nats', natsConnection, { flush: run, getServer: run, isClosed: run, closed: run, publish: run }],
  ['kafkajsAdmin', kafkajsAdmin, { events: {}, describeCluster: run, fetchTopicMetadata: run, on: run }],
]

describe.each(shapes)('a client of %s', (_, kind, shape) => {
  it('is known by its members, all of them', () => {
    expect(kind.isClient(shape)).toBe(true)
    for (const name of Object.keys(shape)) {
      const others = Object.fromEntries(Object.entries(shape).filter(([each]) => each !== name))
      expect(kind.isClient(others), name).toBe(false)
    }
  })

  it('is of no other kind', () => {
    expect(clientKinds.filter((each) => each.isClient(shape))).toEqual([kind])
  })
})

it('a client of postgres.js is a function with its members', () => {
  const shape = { parameters: {}, unsafe: run, begin: run, reserve: run }
  expect(clientKinds.filter((each) => each.isClient(functionWith(shape)))).toEqual([postgresJs])
  expect(postgresJs.isClient(shape)).toBe(false)
  for (const name of Object.keys(shape)) {
    const others = Object.fromEntries(Object.entries(shape).filter(([each]) => each !== name))
    expect(postgresJs.isClient(functionWith(others)), name).toBe(false)
  }
})
