import { MongoClient } from 'mongodb'
import { mongodb } from 'upkeep/health'
import { describe } from 'vitest'
import { testBackend } from '../../health/indicators/backend-suite.ts'
import { useServer } from '../../support/use-server.ts'
import { startFakeMongodb } from './fake-mongodb.ts'

describe('MongoDB', () => {
  const server = useServer(startFakeMongodb)
  const connect = (url: string) =>
    new MongoClient(url, { serverSelectionTimeoutMS: 100, heartbeatFrequencyMS: 500, maxPoolSize: 4 }).connect()

  testBackend(server, {
    client: 'a MongoClient',
    connect: async (url) => {
      const client = await connect(url)
      return { indicator: mongodb(client), close: () => client.close() }
    },
    details: { server: 'MongoDB 7.0.14' },
  })

  testBackend(server, {
    client: 'a Db',
    connect: async (url) => {
      const client = await connect(url)
      return { indicator: mongodb(client.db('orders')), close: () => client.close() }
    },
    details: { server: 'MongoDB 7.0.14' },
  })
})
