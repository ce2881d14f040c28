import { amqp, kafka, mongodb, mysql, nats } from 'upkeep/health'
import { describe, expect, it, vi } from 'vitest'
import { createManualClock } from '../../support/manual-clock.ts'

const { signal } = new AbortController()
const latency = '0ms'
const clock = createManualClock()

describe('mongodb', () => {
  const databaseOf = (buildInfo: unknown) => ({
    command: vi.fn(async (command: Record<string, unknown>) => ('buildInfo' in command ? buildInfo : { ok: 1 })),
  })

  it('sends a ping to the database admin of a client, and asks for the version once', async () => {
    const database = databaseOf({ version: '8.0.4' })
    const db = vi.fn(() => database)
    const check = mongodb({ db }, { clock })
    const up = { status: 'UP', details: { server: 'MongoDB 8.0.4', latency } }
    expect([await check(signal), await check(signal)]).toEqual([up, up])
    expect(db.mock.calls).toEqual([['admin']])
    expect(database.command.mock.calls).toEqual([[{ ping: 1 }], [{ buildInfo: 1 }], [{ ping: 1 }]])
  })

  it.each([null, 'text', {}])('has no version where the server tells none: %j', async (buildInfo) => {
    expect(await mongodb(databaseOf(buildInfo), { clock })(signal)).toEqual({ status: 'UP', details: { latency } })
  })

  it('asks for the version again after a failure', async () => {
    const database = databaseOf({ version: '8.0.4' })
    const check = mongodb(database, { clock })
    await check(signal)
    database.command.mockRejectedValueOnce(new Error('not primary'))
    expect(await check(signal)).toEqual({
      status: 'DOWN',
      details: { server: 'MongoDB 8.0.4', error: 'Error: not primary' },
    })
    await check(signal)
    expect(database.command.mock.calls.filter(([command]) => 'buildInfo' in command)).toHaveLength(2)
  })

  it.each([
    [undefined, 'undefined'],
    [{}, 'object without command, db'],
  ])('refuses %j', (client, received) => {
    expect(() => mongodb(client as never)).toThrow(
      new TypeError(`mongodb: expected a MongoClient or a Db of mongodb, received ${received}`),
    )
  })
})

describe('mysql', () => {
  const rowsOf = async (text: string) => [text.includes('VERSION') ? [{ version: '8.4.3' }] : [{ 1: 1 }]] as const

  it('runs its query over a connection of a pool, which it releases', async () => {
    const connection = { query: vi.fn(rowsOf), release: vi.fn(), destroy: vi.fn() }
    const check = mysql({ promise: () => ({ getConnection: async () => connection }) }, { clock })
    const details = { database: 'MySQL 8.4.3', validationQuery: 'SELECT 1', latency }
    expect(await check(signal)).toEqual({ status: 'UP', details })
    expect(connection.query.mock.calls).toEqual([['SELECT 1'], ['SELECT VERSION() AS version']])
    expect([connection.release.mock.calls.length, connection.destroy.mock.calls.length]).toEqual([1, 0])
  })

  it.each<[string, object]>([
    ['without a connection inside', {}],
    ['with null inside', { connection: null }],
    ['with a text inside', { connection: 'text' }],
    ['without a stream', { connection: {} }],
    ['with null as its stream', { connection: { stream: null } }],
    ['with a text as its stream', { connection: { stream: 'text' } }],
    ['with a stream that cannot be destroyed', { connection: { stream: { destroy: true } } }],
    ['with another object as its stream', { connection: { stream: {} } }],
  ])('closes a connection that does not respond in time: %s', async (_, inside) => {
    const connection = { query: () => new Promise<never>(() => {}), release: vi.fn(), destroy: vi.fn(), ...inside }
    const controller = new AbortController()
    const checked = mysql({ getConnection: async () => connection }, { clock })(controller.signal)
    await Promise.resolve()
    controller.abort(new Error('deadline'))
    await expect(checked).rejects.toThrow('deadline')
    await expect.poll(() => connection.destroy.mock.calls.length).toBe(1)
    expect(connection.release).not.toHaveBeenCalled()
  })

  it('closes its socket, too, which a server that hangs would keep open', async () => {
    const stream = { destroy: vi.fn() }
    const connection = {
      ...{ query: () => new Promise<never>(() => {}), release: vi.fn(), destroy: vi.fn() },
      connection: { stream },
    }
    const controller = new AbortController()
    const checked = mysql({ getConnection: async () => connection }, { clock })(controller.signal)
    await Promise.resolve()
    controller.abort(new Error('deadline'))
    await expect(checked).rejects.toThrow('deadline')
    await expect.poll(() => stream.destroy.mock.calls.length).toBe(1)
  })
})

describe('nats', () => {
  it('is UP when the server has responded to a flush', async () => {
    const flush = vi.fn(async () => {})
    expect(await nats({ flush, info: { version: '2.10.22' } }, { clock })(signal)).toEqual({
      status: 'UP',
      details: { server: 'NATS 2.10.22', latency },
    })
    expect(await nats({ flush }, { clock })(signal)).toEqual({ status: 'UP', details: { latency } })
    expect(flush).toHaveBeenCalledTimes(2)
  })

  it('is DOWN when the flush fails', async () => {
    const flush = () => Promise.reject(new Error('CONNECTION_CLOSED'))
    expect(await nats({ flush }, { clock })(signal)).toEqual({
      status: 'DOWN',
      details: { error: 'Error: CONNECTION_CLOSED' },
    })
  })

  it('refuses what is no connection, and unknown options', () => {
    expect(() => nats({} as never)).toThrow(
      new TypeError('nats: expected a NatsConnection, received object without flush'),
    )
    expect(() => nats({ flush: async () => {} }, { timeout: '1s' } as object)).toThrow('nats: unknown option "timeout"')
  })
})

describe('kafka', () => {
  const admin = (count: number) => ({
    describeCluster: async () => ({ brokers: Array(count).fill({}), controller: 1, clusterId: 'orders' }),
  })

  it.each([
    [0, 0, 'UP'],
    [1, undefined, 'UP'],
    [0, undefined, 'DOWN'],
    [2, 3, 'DOWN'],
    [3, 3, 'UP'],
  ])('of %d brokers where %j are required is %s', async (brokers, required, status) => {
    expect(await kafka(admin(brokers), { brokers: required, clock })(signal)).toEqual({
      status,
      details: { clusterId: 'orders', brokers, controller: 1, latency },
    })
  })

  it('names the option that was meant', () => {
    expect(() => kafka(admin(1), { minimumBrokers: 1 } as object)).toThrow('did you mean "brokers"?')
  })
})

describe('amqp', () => {
  const open = (serverProperties: object) => {
    const channel = { close: vi.fn(async () => {}), on: vi.fn(), connection: { serverProperties } }
    return { channel, connection: { createChannel: async () => channel } }
  }

  it.each([
    [{ product: 'RabbitMQ', version: '4.0.3' }, { server: 'RabbitMQ 4.0.3' }],
    [{ product: 'RabbitMQ' }, { server: 'RabbitMQ' }],
    [{ version: '4.0.3' }, {}],
  ])('opens a channel and closes it, and names the broker of %j', async (properties, named) => {
    const { channel, connection } = open(properties)
    expect(await amqp(connection, { clock })(signal)).toEqual({ status: 'UP', details: { ...named, latency } })
    expect([channel.close.mock.calls.length, channel.on.mock.calls[0]?.[0]]).toEqual([1, 'error'])
  })

  it('uses the connection of a function, and is DOWN while that has none', async () => {
    const { connection } = open({ product: 'RabbitMQ' })
    let current: typeof connection | undefined = connection
    const check = amqp(() => current, { clock })
    expect(await check(signal)).toMatchObject({ status: 'UP' })
    current = undefined
    expect(await check(signal)).toEqual({ status: 'DOWN', details: { error: 'Error: not connected' } })
  })

  it('refuses what is no connection', () => {
    expect(() => amqp({} as never)).toThrow(
      new TypeError(
        'amqp: expected a connection of amqplib or a function that returns it, received object without createChannel',
      ),
    )
    expect(() => amqp(null as never)).toThrow('received null')
  })
})
