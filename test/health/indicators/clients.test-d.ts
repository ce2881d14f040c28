import type { PGlite } from '@electric-sql/pglite'
import type amqplib from 'amqplib'
import type { Cluster, Redis } from 'ioredis'
import type { Admin } from 'kafkajs'
import type { Connection, Pool } from 'mysql2'
import type {
  Pool as MysqlPromisePool,
  Connection as PromiseConnection,
  PoolNamespace as PromisePoolNamespace,
} from 'mysql2/promise'
import type { NatsConnection } from 'nats'
import type pg from 'pg'
import type postgresJs from 'postgres'
import type { createClient, createClientPool, createCluster } from 'redis'
import type { amqp, kafka, mysql, nats, postgres, redis } from 'upkeep/health'
import { expectTypeOf } from 'vitest'

// Each real client is taken as it is, and none that is meant for another.
expectTypeOf<pg.Pool | pg.Client | pg.PoolClient>().toExtend<Parameters<typeof postgres>[0]>()
expectTypeOf<postgresJs.Sql | PGlite>().toExtend<Parameters<typeof postgres>[0]>()
expectTypeOf<MysqlPromisePool | PromiseConnection | PromisePoolNamespace>().toExtend<Parameters<typeof mysql>[0]>()
expectTypeOf<Pool | Connection>().toExtend<Parameters<typeof mysql>[0]>()
expectTypeOf<Redis | Cluster>().toExtend<Parameters<typeof redis>[0]>()
expectTypeOf<ReturnType<typeof createClient>>().toExtend<Parameters<typeof redis>[0]>()
expectTypeOf<ReturnType<typeof createClientPool>>().toExtend<Parameters<typeof redis>[0]>()
expectTypeOf<ReturnType<typeof createCluster>>().toExtend<Parameters<typeof redis>[0]>()
expectTypeOf<amqplib.ChannelModel | amqplib.RecoveringChannelModel>().toExtend<Parameters<typeof amqp>[0]>()
expectTypeOf<() => amqplib.ChannelModel | undefined>().toExtend<Parameters<typeof amqp>[0]>()
expectTypeOf<NatsConnection>().toExtend<Parameters<typeof nats>[0]>()
expectTypeOf<Admin>().toExtend<Parameters<typeof kafka>[0]>()

expectTypeOf<Redis>().not.toExtend<Parameters<typeof postgres>[0]>()
expectTypeOf<pg.Pool>().not.toExtend<Parameters<typeof redis>[0]>()
expectTypeOf<postgresJs.Sql>().not.toExtend<Parameters<typeof mysql>[0]>()
