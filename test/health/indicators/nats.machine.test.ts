import { connect } from 'nats'
import { nats } from 'upkeep/health'
import { expect } from 'vitest'
import { describeServer } from '../../support/describe-server.ts'
import { findProgram } from '../../support/programs.ts'
import { startNats } from '../../support/start-nats.ts'
import { testBackend } from './backend-suite.ts'

describeServer(
  { name: 'NATS', program: findProgram('nats-server'), install: 'apt-get install nats-server', start: startNats },
  (server) => {
    testBackend(server, {
      client: 'a NatsConnection',
      connect: async (servers) => {
        const connection = await connect({ servers, reconnectTimeWait: 50, maxReconnectAttempts: -1 })
        return { indicator: nats(connection), close: () => connection.close() }
      },
      details: { server: expect.stringMatching(/^NATS \d+\.\d+\.\d+$/) },
      context: {},
    })
  },
)
