import type { ClientKind } from '../client-kind.ts'
import { amqplib } from './amqplib.ts'
import { ioredis } from './ioredis.ts'
import { knex } from './knex.ts'
import { mongoClient } from './mongodb.ts'
import { mysql2Connection, mysql2Pool } from './mysql2-clients.ts'
import { nodeRedis } from './node-redis.ts'
import { pgClient, pgPool } from './pg-clients.ts'

/** All clients that are discovered. */
export const clientKinds: readonly ClientKind[] = [
  ...[knex, pgPool, pgClient, mysql2Pool, mysql2Connection],
  ...[ioredis, nodeRedis, mongoClient, amqplib],
]
