import { Kafka, logLevel } from 'kafkajs'
import { kafka } from 'upkeep/health'
import { describe, expect, it } from 'vitest'
import { startFakeKafka } from '../../support/fake-kafka.ts'
import { useServer } from '../../support/use-server.ts'
import { testBackend } from './backend-suite.ts'

const never = new AbortController().signal

describe('Kafka', () => {
  const server = useServer(startFakeKafka)
  const connect = async (broker: string) => {
    const client = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING, retry: { retries: 0 } })
    const admin = client.admin()
    await admin.connect()
    return admin
  }

  testBackend(server, {
    client: 'an Admin of kafkajs',
    connect: async (broker) => {
      const admin = await connect(broker)
      return { indicator: kafka(admin), close: () => admin.disconnect() }
    },
    details: { clusterId: 'a-cluster', brokers: 1, controller: 1 },
    context: {},
    reopens: true,
  })

  it('is DOWN with fewer brokers than required', async () => {
    const admin = await connect(server().url)

    expect(await kafka(admin, { brokers: 2 })(never)).toMatchObject({ status: 'DOWN', details: { brokers: 1 } })
    await admin.disconnect()
  })

  it.each([-1, Number.NaN])('refuses to ask for %d brokers', (brokers) => {
    const admin = new Kafka({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING }).admin()

    expect(() => kafka(admin, { brokers })).toThrow(`kafka: brokers: expected a number, received ${brokers}`)
  })
})
