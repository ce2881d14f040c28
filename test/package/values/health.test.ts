import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  composite,
  containerMemory,
  discoverClients,
  diskSpace,
  dns,
  eventLoop,
  http,
  kafka,
  memory,
  nats,
  ping,
  sql,
  tcp,
} from 'upkeep/health'
import { afterAll, beforeAll, expect, it } from 'vitest'

const never = new AbortController().signal
const server = createServer((_req, res) => void res.end())
let port: number
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

it.each([
  ['containerMemory', () => containerMemory({ read: () => ({ used: 1, limit: 2 }) }), { usage: 0.5 }],
  ['diskSpace', () => diskSpace({ threshold: 0 }), { exists: true }],
  ['dns', () => dns('localhost'), { name: 'localhost' }],
  ['http', () => http(`http://127.0.0.1:${port}/`), { status: 200 }],
  [
    'kafka',
    () => kafka({ describeCluster: async () => ({ clusterId: 'orders', controller: 1, brokers: [{}] }) }),
    { brokers: 1 },
  ],
  ['memory', () => memory({ heap: () => ({ used: 1, limit: 4 }) }), { usage: 0.25 }],
  ['nats', () => nats({ flush: async () => {}, info: { version: '2.10.9' } }), { server: 'NATS 2.10.9' }],
  ['sql', () => sql({ query: async () => [], database: 'PostgreSQL' }), { database: 'PostgreSQL' }],
  ['tcp', () => tcp({ host: '127.0.0.1', port }), { address: '127.0.0.1' }],
])('%s is UP with details', async (_name, create, details) => {
  expect(await create()(never)).toMatchObject({ status: 'UP', details })
})

it('eventLoop is UNKNOWN during its first window', async () => {
  expect(await eventLoop()(never)).toMatchObject({ status: 'UNKNOWN' })
})

it('composite has the indicators that it is given, and ping is UP', async () => {
  const one = ping()
  expect(composite({ one })).toEqual({ indicators: { one } })
  expect(await one(never)).toBe('UP')
})

it('discoverClients finds an emitter that is a client, and stops', async () => {
  const discovery = discoverClients({ kinds: ['redis'] })
  class Client extends EventEmitter {
    status = 'wait'
    connector = {}
    options = { host: 'cache', port: 6379 }
    sendCommand() {}
    ping() {}
  }
  const client = new Client()
  await Promise.resolve()
  discovery.close()
  expect(discovery.targetsOf('redis')).toMatchObject([{ component: 'redis', target: client.options }])
  expect(discovery.targetsOf('db')).toEqual([])
})
