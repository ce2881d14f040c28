import { Redis } from 'ioredis'
import { createClient, createClientPool } from 'redis'
import { redis } from 'upkeep/health'
import { expect } from 'vitest'
import { describeServer } from '../../support/describe-server.ts'
import { findProgram } from '../../support/programs.ts'
import { startRedis } from '../../support/start-redis.ts'
import { testBackend } from './backend-suite.ts'

const details = { server: expect.stringMatching(/^(Redis|Valkey) \d+\.\d+\.\d+$/) }

describeServer(
  { name: 'Redis', program: findProgram('redis-server'), install: 'apt-get install redis-server', start: startRedis },
  (server) => {
    testBackend(server, {
      client: 'a Redis of ioredis',
      connect: async (url) => {
        const client = new Redis(url, { retryStrategy: () => 50 })
        client.on('error', () => {})
        return { indicator: redis(client), close: () => client.disconnect() }
      },
      details,
    })

    testBackend(server, {
      client: 'a client of node-redis',
      connect: async (url) => {
        const client = createClient({ url, socket: { reconnectStrategy: 50 } })
        client.on('error', () => {})
        await client.connect()
        return { indicator: redis(client), close: () => client.isOpen && client.destroy() }
      },
      details,
    })

    testBackend(server, {
      client: 'a pool of node-redis',
      connect: async (url) => {
        const pool = createClientPool({ url, socket: { reconnectStrategy: 50 } })
        pool.on('error', () => {})
        await pool.connect()
        return { indicator: redis(pool), close: () => pool.isOpen && pool.destroy() }
      },
      details,
      whileGone: 'waits',
    })
  },
)
