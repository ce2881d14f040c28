import { existsSync } from 'node:fs'
import { describeServer } from '../support/describe-server.ts'
import { findProgram } from '../support/programs.ts'
import { startMariadb } from '../support/start-mariadb.ts'
import { startNats } from '../support/start-nats.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { rabbitmqProgram, startRabbitmq } from '../support/start-rabbitmq.ts'
import { startRedis } from '../support/start-redis.ts'
import { testStatesOfApplication } from './discovered-states-suite.ts'

describeServer(
  { name: 'PostgreSQL', program: findProgram('initdb'), install: 'apt-get install postgresql', start: startPostgres },
  (server) => {
    testStatesOfApplication(server, {
      client: 'a Pool of pg',
      component: 'db',
      packages: ['pg'],
      program: `
        import pg from 'pg'
        const pool = new pg.Pool({ connectionString: process.env.SERVER_URL })
        globalThis.client = pool
        pool.on('error', () => {})
        pool.query('SELECT 1').catch(() => {})
      `,
    })

    testStatesOfApplication(server, {
      client: 'a function of postgres.js',
      component: 'db',
      packages: ['postgres'],
      program: `
        import postgres from 'postgres'
        globalThis.client = postgres(process.env.SERVER_URL, { backoff: 0.05 })
        globalThis.client\`SELECT 1\`.catch(() => {})
      `,
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
    testStatesOfApplication(server, {
      client: 'a Pool of mysql2',
      component: 'db',
      packages: ['mysql2'],
      program: `
        import mysql from 'mysql2/promise'
        const pool = mysql.createPool(process.env.SERVER_URL)
        globalThis.client = pool
        pool.query('SELECT 1').catch(() => {})
      `,
    })
  },
)

describeServer(
  { name: 'Redis', program: findProgram('redis-server'), install: 'apt-get install redis-server', start: startRedis },
  (server) => {
    testStatesOfApplication(server, {
      client: 'a Redis of ioredis',
      component: 'redis',
      packages: ['ioredis'],
      program: `
        import { Redis } from 'ioredis'
        globalThis.client = new Redis(process.env.SERVER_URL).on('error', () => {})
      `,
    })

    testStatesOfApplication(server, {
      client: 'a client of node-redis',
      component: 'redis',
      packages: ['redis'],
      program: `
        import { createClient } from 'redis'
        globalThis.client = createClient({ url: process.env.SERVER_URL }).on('error', () => {})
        globalThis.client.connect()
      `,
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
    testStatesOfApplication(server, {
      client: 'a connection of amqplib',
      component: 'rabbit',
      packages: ['amqplib'],
      program: `
        import { connect } from 'amqplib'
        const open = async () => {
          const again = () => setTimeout(open, 100)
          try {
            const connection = await connect(process.env.SERVER_URL)
            globalThis.client = connection
            connection.on('error', () => {}).on('close', again)
          } catch {
            again()
          }
        }
        open()
      `,
      existsBefore: false,
    })
  },
)

describeServer(
  { name: 'NATS', program: findProgram('nats-server'), install: 'apt-get install nats-server', start: startNats },
  (server) => {
    testStatesOfApplication(server, {
      client: 'a connection of nats, which it publishes',
      component: 'nats',
      packages: ['nats'],
      program: `
        import { channel } from 'node:diagnostics_channel'
        import nats from 'nats'
        const servers = process.env.SERVER_URL
        const options = { servers, waitOnFirstConnect: true, maxReconnectAttempts: -1, reconnectTimeWait: 50 }
        nats.connect(options).then((connection) => {
          globalThis.client = connection
          channel('upkeep.client').publish(connection)
        })
      `,
      existsBefore: false,
    })
  },
)
