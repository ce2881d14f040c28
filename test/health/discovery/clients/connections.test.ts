import { EventEmitter } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import type { ClientKind } from '../../../../src/health/discovery/client-kind.ts'
import { amqplib } from '../../../../src/health/discovery/clients/amqplib.ts'
import { ioredis } from '../../../../src/health/discovery/clients/ioredis.ts'
import { kafkajsAdmin } from '../../../../src/health/discovery/clients/kafkajs-admin.ts'
import { knex } from '../../../../src/health/discovery/clients/knex.ts'
import { mssqlPool } from '../../../../src/health/discovery/clients/mssql-pool.ts'
import { mysql2Connection, mysql2Pool } from '../../../../src/health/discovery/clients/mysql2-clients.ts'
import { natsConnection } from '../../../../src/health/discovery/clients/nats-connection.ts'
import { nodeRedis } from '../../../../src/health/discovery/clients/node-redis.ts'
import { pgClient, pgPool } from '../../../../src/health/discovery/clients/pg-clients.ts'

const run = () => undefined
const emitter = (members: object) => Object.assign(new EventEmitter(), members)
const tarn = (used: number, free: number, pending = 0, destroyed = false) =>
  emitter({ max: 7, destroyed, numUsed: () => used, numFree: () => free, numPendingAcquires: () => pending })

describe('a pool', () => {
  const counts = [0, 1, 2, 3, 4]
  it.each<[string, ClientKind<never>, object, object]>([
    ['knex', knex, { pool: tarn(1, 3, 5) }, { total: 4, idle: 3, waiting: 5, maximum: 7 }],
    ['knex, before it has a pool', knex, {}, { total: 0, idle: 0, waiting: 0, maximum: 0 }],
    ['mssql', mssqlPool, { pool: tarn(1, 3, 5) }, { total: 4, idle: 3, waiting: 5, maximum: 7 }],
    ['mssql, before it has a pool', mssqlPool, {}, { total: 0, idle: 0, waiting: 0, maximum: 0 }],
    [
      'mysql2',
      mysql2Pool,
      {
        config: { connectionLimit: 9 },
        ...{ _allConnections: counts, _freeConnections: [1, 2], _connectionQueue: [1] },
      },
      { total: 5, idle: 2, waiting: 1, maximum: 9 },
    ],
    [
      'pg',
      pgPool,
      { totalCount: 5, idleCount: 2, waitingCount: 1, options: { max: 9 } },
      { total: 5, idle: 2, waiting: 1, maximum: 9 },
    ],
  ])('shows how its connections are used: %s', (_, kind, client, figures) => {
    expect(kind.pool?.figuresOf(client as never)).toEqual(figures)
  })

  it.each<[string, ClientKind<never>, (pool: EventEmitter) => object]>([
    ['knex', knex, (pool) => ({ pool })],
    ['mssql', mssqlPool, (pool) => ({ pool })],
    ['mysql2', mysql2Pool, (pool) => pool],
    ['pg', pgPool, (pool) => pool],
  ])('tells when a connection comes back, until that is no longer wanted: %s', (_, kind, clientOf) => {
    const [pool, listener] = [new EventEmitter(), vi.fn()]
    const remove = kind.pool?.onReturn(clientOf(pool) as never, listener)
    pool.emit('release')
    expect(listener).toHaveBeenCalledTimes(1)
    remove?.()
    pool.emit('release')
    expect([listener.mock.calls.length, pool.listenerCount('release')]).toEqual([1, 0])
  })

  it.each([knex, mssqlPool])('without one inside tells nothing', (kind) => {
    expect(() => kind.pool?.onReturn({} as never, run)()).not.toThrow()
  })
})

it.each<[string, ClientKind<never>, object, string, unknown[], boolean]>([
  ['amqplib', amqplib, {}, 'close', [new Error('gone')], true],
  ['amqplib', amqplib, {}, 'close', [], false],
  ['ioredis', ioredis, { retryAttempts: 3 }, 'end', [], true],
  ['ioredis', ioredis, { retryAttempts: 0 }, 'end', [], false],
  ['kafkajs', kafkajsAdmin, { events: { DISCONNECT: 'admin.disconnect' } }, 'admin.disconnect', [], false],
  ['mysql2', mysql2Connection, {}, 'end', [], true],
  ['mysql2', mysql2Connection, { _closing: true }, 'end', [], false],
  ['node-redis', nodeRedis, {}, 'end', [], false],
  ['pg', pgClient, { _ending: false }, 'end', [], true],
  ['pg', pgClient, { _ending: true }, 'end', [], false],
])('a client of %s that is closed tells whether that was not meant: %#', (_, kind, members, event, details, isLost) => {
  const [client, closed] = [emitter(members), vi.fn()]
  kind.onClose?.(client as never, closed)
  expect(closed).not.toHaveBeenCalled()
  client.emit(event, ...details)
  expect(closed.mock.calls).toEqual([[isLost]])
})

it.each([
  [new Error('gone'), true],
  [undefined, false],
])('a connection of nats that is closed tells whether that was not meant: %s', async (reason, isLost) => {
  const closed = vi.fn()
  natsConnection.onClose?.({ closed: async () => reason } as never, closed)
  await Promise.resolve()
  await Promise.resolve()
  expect(closed.mock.calls).toEqual([[isLost]])
})

describe('a connection', () => {
  it('of mysql2 is part of its pool, or of that of Knex', () => {
    const [pool, isPartOf] = [{}, mysql2Connection.isPartOf]
    expect(isPartOf?.({ _pool: pool } as never, pool)).toBe(true)
    expect(isPartOf?.({ _pool: pool } as never, {})).toBe(false)
    expect(isPartOf?.({ _pool: pool } as never, undefined)).toBe(true)
    expect(isPartOf?.({ __knexUid: '1' } as never, undefined)).toBe(true)
    expect(isPartOf?.({} as never, undefined)).toBe(false)
  })

  it('of pg is part of its pool, or of that of Knex', () => {
    const [client, isPartOf] = [{ _poolUseCount: 0 }, pgClient.isPartOf]
    expect(isPartOf?.(client as never, { _clients: [{}, client] })).toBe(true)
    expect(isPartOf?.(client as never, { _clients: [{}] })).toBe(false)
    expect(isPartOf?.(client as never, {})).toBe(false)
    expect(isPartOf?.(client as never, undefined)).toBe(true)
    expect(isPartOf?.({ __knexUid: '1' } as never, undefined)).toBe(true)
    expect(isPartOf?.({} as never, undefined)).toBe(false)
  })

  it.each([
    ['blpop', true],
    ['BRPOPLPUSH', true],
    ['bzpopmin', true],
    ['xread', true],
    ['xreadgroup', true],
    ['wait', true],
    ['bitcount', false],
    ['get', false],
    [undefined, false],
  ])('of ioredis is busy with %s: %s', (name, isBusy) => {
    const client = { commandQueue: { length: 1, peekFront: () => ({ command: { name } }) } }
    expect(ioredis.isBusy?.(client as never)).toBe(isBusy)
    expect(ioredis.isBusy?.({ commandQueue: { length: 0, peekFront: run } } as never)).toBe(false)
    expect(ioredis.isBusy?.({} as never)).toBe(false)
  })
})
