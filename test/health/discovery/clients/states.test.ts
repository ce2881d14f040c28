import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { ClientKind } from '../../../../src/health/discovery/client-kind.ts'
import { amqplib } from '../../../../src/health/discovery/clients/amqplib.ts'
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
const emitter = (members: object) => Object.assign(new EventEmitter(), members)
const tarn = (used: number, free: number, pending = 0, destroyed = false) =>
  emitter({ max: 7, destroyed, numUsed: () => used, numFree: () => free, numPendingAcquires: () => pending })

const pg = { _connecting: false, _connected: false, _ending: false, _ended: false, _queryable: true }
const sql = (parameters: object, retries: number) => ({ parameters, options: { shared: { retries } } })

it.each<[string, ClientKind<never>, object]>([
  ['open', amqplib, { connection: {} }],
  ['lost', amqplib, { connection: { expectSocketClose: true } }],
  ['unused', ioredis, { status: 'wait', manuallyClosing: true }],
  ['ended', ioredis, { status: 'end', manuallyClosing: true }],
  ['lost', ioredis, { status: 'end', manuallyClosing: false }],
  ['open', ioredis, { status: 'reconnecting', manuallyClosing: false }],
  ['open', kafkajsAdmin, {}],
  ['ended', knex, {}],
  ['ended', knex, { pool: tarn(1, 1, 0, true) }],
  ['unused', knex, { pool: tarn(0, 0) }],
  ['open', knex, { pool: tarn(1, 0) }],
  ['open', knex, { pool: tarn(0, 1) }],
  ['open', knex, { pool: tarn(0, 0, 1) }],
  ['unused', mongoClient, { s: {} }],
  ['open', mongoClient, { s: {}, topology: {} }],
  ['ended', mongoClient, { s: { hasBeenClosed: true }, topology: {} }],
  ['open', mssqlPool, { connecting: true }],
  ['unused', mssqlPool, { connecting: false }],
  ['ended', mssqlPool, { connecting: false, pool: null }],
  ['ended', mssqlPool, { connecting: false, pool: tarn(0, 0, 0, true) }],
  ['open', mssqlPool, { connecting: false, pool: tarn(0, 0) }],
  ['ended', mysql2Pool, { _closed: true, _allConnections: [1] }],
  ['open', mysql2Pool, { _closed: false, _allConnections: [1] }],
  ['unused', mysql2Pool, { _closed: false, _allConnections: [] }],
  ['open', mysql2Connection, {}],
  ['ended', mysql2Connection, { _closing: true, _fatalError: {} }],
  ['lost', mysql2Connection, { _fatalError: {} }],
  ['lost', mysql2Connection, { _protocolError: {} }],
  ['open', natsConnection, { isClosed: () => false }],
  ['lost', natsConnection, { isClosed: () => true }],
  ['open', nodeRedis, { isOpen: true }],
  ['unused', nodeRedis, { isOpen: false }],
  ['ended', pgPool, { ending: true, totalCount: 1 }],
  ['open', pgPool, { ending: false, totalCount: 1 }],
  ['unused', pgPool, { ending: false, totalCount: 0 }],
  ['unused', pgClient, pg],
  ['open', pgClient, { ...pg, _connecting: true }],
  ['open', pgClient, { ...pg, _connected: true }],
  ['ended', pgClient, { ...pg, _connected: true, _ending: true, _ended: true }],
  ['lost', pgClient, { ...pg, _connected: true, _ended: true }],
  ['lost', pgClient, { ...pg, _connected: true, _queryable: false }],
  ['unused', postgresJs, sql({}, 0)],
  ['open', postgresJs, sql({ server_version: '17' }, 0)],
  ['open', postgresJs, sql({}, 1)],
  ['open', sqlite, { open: true }],
  ['open', sqlite, { open: run, isOpen: true }],
  ['ended', sqlite, { open: false }],
  ['ended', sqlite, { open: run, isOpen: false }],
])('the state is %s of a client of %o that has %o', (state, kind, client) => {
  expect(kind.stateOf(client as never)).toBe(state)
})
