import { existsSync } from 'node:fs'
import { connect } from 'amqplib'
import { amqp } from 'upkeep/health'
import { expect } from 'vitest'
import { describeServer } from '../../support/describe-server.ts'
import { rabbitmqProgram, startRabbitmq } from '../../support/start-rabbitmq.ts'
import { testBackend } from './backend-suite.ts'

const details = { server: expect.stringMatching(/^RabbitMQ \d+\.\d+\.\d+$/) }

describeServer(
  {
    name: 'RabbitMQ',
    program: existsSync(rabbitmqProgram) ? rabbitmqProgram : undefined,
    install: 'apt-get install rabbitmq-server',
    start: startRabbitmq,
  },
  (server) => {
    testBackend(server, {
      client: 'a connection of amqplib that recovers',
      connect: async (url) => {
        const connection = await connect(url, { recovery: { initialDelay: 50, maxDelay: 50 } })
        connection.on('error', () => {})
        let open = 0
        const createChannel = async () => {
          const channel = await connection.createChannel()
          open++
          channel.on('close', () => open--)
          return channel
        }
        return { indicator: amqp({ createChannel }), close: () => connection.close(), load: () => open }
      },
      details,
      context: {},
      whileGone: 'waits',
    })

    testBackend(server, {
      client: 'the connection of the moment of amqplib',
      connect: async (url) => {
        const connection = await connect(url)
        let current: typeof connection | undefined = connection
        connection.on('error', () => {})
        connection.on('close', () => {
          current = undefined
        })
        return { indicator: amqp(() => current), close: () => current?.close() }
      },
      details,
      context: {},
      comesBack: false,
    })
  },
)
