import { existsSync } from 'node:fs'
import { connect as connectAmqp } from 'amqplib'
import { Redis } from 'ioredis'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { createClient } from 'redis'
import { expect } from 'vitest'
import { describeServer } from '../../support/describe-server.ts'
import { findProgram } from '../../support/programs.ts'
import { startMariadb } from '../../support/start-mariadb.ts'
import { startPostgres } from '../../support/start-postgres.ts'
import { rabbitmqProgram, startRabbitmq } from '../../support/start-rabbitmq.ts'
import { startRedis } from '../../support/start-redis.ts'
import { testDiscoveredStates } from './discovered-state-suite.ts'

const ignore = () => {}
const pool = { total: expect.any(Number), idle: expect.any(Number), waiting: 0, maximum: 4 }

describeServer(
  { name: 'PostgreSQL', program: findProgram('initdb'), install: 'apt-get install postgresql', start: startPostgres },
  (server) => {
    testDiscoveredStates(server, {
      client: 'a Pool of pg',
      component: 'db',
      connect: async (connectionString) => {
        const client = new pg.Pool({ connectionString, max: 4 })
        client.on('error', ignore)
        await client.query('SELECT now()').catch(ignore)
        return { client, end: () => (client.ending ? undefined : client.end()) }
      },
      details: { database: expect.stringMatching(/^PostgreSQL \d+/), name: 'postgres', pool },
    })

    testDiscoveredStates(server, {
      client: 'a Client of pg',
      component: 'db',
      connect: async (connectionString) => {
        const client = new pg.Client({ connectionString })
        client.on('error', ignore)
        await client.connect()
        return { client, end: () => client.end() }
      },
      details: { database: expect.stringMatching(/^PostgreSQL \d+/), name: 'postgres' },
      startsBefore: false,
      comesBack: false,
    })
  },
)

describeServer(
  {
    name: 'MariaDB',
    program: findProgram('mariadb-install-db'),
    install: 'apt-get install mariadb-server',
    start: startMariadb,
  },
  (server) => {
    testDiscoveredStates(server, {
      client: 'a Pool of mysql2',
      component: 'db',
      connect: async (uri) => {
        const client = mysql.createPool({ uri, connectionLimit: 4 })
        await client.query('SELECT NOW()').catch(ignore)
        return { client, end: () => client.end().catch(ignore) }
      },
      details: { database: expect.stringMatching(/^MariaDB \d+/), name: 'mysql', pool },
    })
  },
)

describeServer(
  { name: 'Redis', program: findProgram('redis-server'), install: 'apt-get install redis-server', start: startRedis },
  (server) => {
    testDiscoveredStates(server, {
      client: 'a Redis of ioredis',
      component: 'redis',
      connect: async (url) => {
        const client = new Redis(url, { retryStrategy: () => 50 })
        client.on('error', ignore)
        return { client, end: () => client.disconnect() }
      },
      details: { server: expect.stringMatching(/^(Redis|Valkey) \d+/) },
    })

    testDiscoveredStates(server, {
      client: 'a client of node-redis',
      component: 'redis',
      connect: async (url) => {
        const client = createClient({ url, socket: { reconnectStrategy: 50 } })
        client.on('error', ignore)
        client.connect().catch(ignore)
        return { client, end: () => client.isOpen && client.destroy() }
      },
      details: { server: expect.stringMatching(/^(Redis|Valkey) \d+/) },
    })
  },
)

describeServer(
  {
    name: 'RabbitMQ',
    program: existsSync(rabbitmqProgram) ? rabbitmqProgram : undefined,
    install: 'apt-get install rabbitmq-server',
    start: startRabbitmq,
  },
  (server) => {
    testDiscoveredStates(server, {
      client: 'a connection of amqplib',
      component: 'rabbit',
      connect: async (url) => {
        const client = await connectAmqp(`${url}?heartbeat=1`)
        client.on('error', ignore)
        return { client, end: () => client.close().catch(ignore) }
      },
      details: { server: expect.stringMatching(/^RabbitMQ \d+/) },
      startsBefore: false,
      comesBack: false,
    })
  },
)
