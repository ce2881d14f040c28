import { expect, it, vi } from 'vitest'
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

const server = { host: 'db.internal', port: 3_306, database: 'orders' }

it.each<[string, ClientKind<never>, object, object]>([
  [
    'its stream',
    amqplib,
    { connection: { stream: { remoteAddress: '10.0.0.1', remotePort: 5_672 } } },
    { host: '10.0.0.1', port: 5_672 },
  ],
  ['no stream', amqplib, { connection: {} }, { host: undefined, port: undefined }],
  ['host and port', ioredis, { options: { host: 'cache', port: 1, db: 0 } }, { host: 'cache', port: 1 }],
  ['a database', ioredis, { options: { host: 'cache', port: 1, db: 3 } }, { host: 'cache', port: 1, database: '3' }],
  ['a path', ioredis, { options: { host: 'cache', port: 1, path: '/run/r' } }, { host: '/run/r' }],
  ['nothing', kafkajsAdmin, {}, {}],
  ['members', knex, { config: { connection: server } }, server],
  ['a server', knex, { config: { connection: { server: 'sql', port: '1433' } } }, { host: 'sql', port: 1_433 }],
  ['a file', knex, { config: { connection: { filename: 'a.db' } } }, { database: 'a.db' }],
  ['empty members', knex, { config: { connection: { host: '', database: 7 } } }, {}],
  ['a URL', knex, { config: { connection: 'postgres://u:p@pg:1/a' } }, { host: 'pg', port: 1, database: 'a' }],
  [
    'a URL in a member',
    knex,
    { config: { connection: { connectionString: 'postgres://u:p@pg/a', database: 'b' } } },
    { host: 'pg', port: 5_432, database: 'b' },
  ],
  ['no connection', knex, { config: {} }, {}],
  ['null', knex, { config: { connection: null } }, {}],
  [
    'the first host',
    mongoClient,
    {
      options: {
        hosts: [
          { host: 'a', port: 1 },
          { host: 'b', port: 2 },
        ],
        dbName: 'orders',
      },
    },
    { host: 'a', port: 1, database: 'orders' },
  ],
  [
    'SRV',
    mongoClient,
    { options: { srvHost: 'a.example', hosts: [], dbName: 'b' } },
    { host: 'a.example', database: 'b' },
  ],
  ['no host', mongoClient, { options: {} }, { host: undefined, port: undefined, database: undefined }],
  [
    'its configuration',
    mssqlPool,
    { config: { server: 'sql', port: 1_433, database: 'a' } },
    { host: 'sql', port: 1_433, database: 'a' },
  ],
  [
    'a database in options',
    mssqlPool,
    { config: { server: 'sql', options: { database: 'a' } } },
    { host: 'sql', database: 'a' },
  ],
  ['its configuration', mysql2Pool, { config: { connectionConfig: server } }, server],
  [
    'a socket',
    mysql2Connection,
    { config: { ...server, socketPath: '/run/m' } },
    { host: '/run/m', database: 'orders' },
  ],
  ['its server', natsConnection, { getServer: () => 'broker:4000' }, { host: 'broker', port: 4_000 }],
  ['no port', natsConnection, { getServer: () => 'broker' }, { host: 'broker', port: 4_222 }],
  [
    'a socket',
    nodeRedis,
    { options: { socket: { host: 'a', port: 1 }, database: 2 } },
    { host: 'a', port: 1, database: '2' },
  ],
  ['a path', nodeRedis, { options: { socket: { path: '/run/r' }, database: 0 } }, { host: '/run/r' }],
  ['no options', nodeRedis, {}, { host: 'localhost', port: 6_379 }],
  ['its parameters', pgClient, { connectionParameters: { ...server, port: '1' } }, { ...server, port: 1 }],
  ['empty parameters', pgClient, { connectionParameters: { host: '', database: '' } }, {}],
  [
    'hosts',
    postgresJs,
    { options: { host: ['a', 'b'], port: [1, 2], path: false, database: 'c' } },
    { host: 'a', port: 1, database: 'c' },
  ],
  [
    'a path',
    postgresJs,
    { options: { host: ['a'], port: [1], path: '/run/p', database: 'c' } },
    { host: '/run/p', database: 'c' },
  ],
  ['its name', sqlite, { name: 'a.db', location: () => 'b.db' }, { database: 'a.db' }],
  ['its location', sqlite, { location: () => 'b.db' }, { database: 'b.db' }],
  ['memory', sqlite, { location: () => null }, { database: ':memory:' }],
  ['memory, unknown', sqlite, {}, { database: ':memory:' }],
])('the target of a client is what it is connected with: %s of %o', (_, kind, client, target) => {
  expect(kind.targetOf(client as never)).toEqual(target)
})

it('the target of a pool of pg is what its options say, or the environment', () => {
  const targetOf = (options: object) => pgPool.targetOf({ options } as never)
  for (const name of ['PGHOST', 'PGPORT', 'PGDATABASE']) vi.stubEnv(name, undefined)
  expect(targetOf({})).toEqual({ host: 'localhost', port: 5_432, database: undefined })
  expect(targetOf({ connectionString: 'postgres://u:p@pg/a', database: 'b' })).toEqual({
    host: 'pg',
    port: 5_432,
    database: 'b',
  })
  vi.stubEnv('PGHOST', 'pg.internal')
  vi.stubEnv('PGPORT', '6543')
  vi.stubEnv('PGDATABASE', 'orders')
  expect(targetOf({})).toEqual({ host: 'pg.internal', port: 6_543, database: 'orders' })
  expect(targetOf({ host: 'a', port: 1, database: 'b' })).toEqual({ host: 'a', port: 1, database: 'b' })
  vi.unstubAllEnvs()
})
