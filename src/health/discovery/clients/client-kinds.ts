import type { ClientKind } from '../client-kind.ts'
import { amqplib } from './amqplib.ts'
import { ioredis } from './ioredis.ts'
import { kafkajsAdmin } from './kafkajs-admin.ts'
import { knex } from './knex.ts'
import { mongoClient } from './mongodb.ts'
import { mssqlPool } from './mssql-pool.ts'
import { mysql2Connection, mysql2Pool } from './mysql2-clients.ts'
import { natsConnection } from './nats-connection.ts'
import { nodeRedis } from './node-redis.ts'
import { pgClient, pgPool } from './pg-clients.ts'
import { postgresJs } from './postgres-js.ts'
import { sqlite } from './sqlite.ts'

/** All clients that are discovered. */
export const clientKinds: readonly ClientKind[] = [
  ...[knex, pgPool, pgClient, mysql2Pool, mysql2Connection],
  ...[postgresJs, mssqlPool, sqlite, ioredis, nodeRedis, mongoClient, amqplib, natsConnection, kafkajsAdmin],
]
