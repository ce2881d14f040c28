import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { createManagement, type ManagementOptions } from 'upkeep'
import { discoverClients } from 'upkeep/health'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { eventually } from '../../support/eventually.ts'

/** A pool of pg, as far as it is used. */
class FakePool extends EventEmitter {
  readonly options: { readonly max: number; readonly host?: string; readonly port?: number; readonly database?: string }
  totalCount = 1
  idleCount = 1
  waitingCount = 0
  ending = false
  queries: string[] = []
  readonly _clients: object[] = []
  respond: (text: string) => Promise<{ rows: object[] }> = async () => ({ rows: [{ version: 'PostgreSQL 15.4' }] })

  constructor(options: Partial<FakePool['options']> = {}) {
    super()
    this.options = { max: 10, host: 'db.internal', port: 5432, database: 'orders', ...options }
  }

  connect(callback: (error: undefined, connection: object) => void): void {
    const query = (text: string) => {
      this.queries.push(text)
      return this.respond(text)
    }
    callback(undefined, { query, on() {}, removeListener() {}, release() {} })
  }

  query(): void {}
}

/** A client of ioredis, as far as it is used. */
class FakeRedis extends EventEmitter {
  status = 'ready'
  manuallyClosing = false
  retryAttempts = 0
  readonly connector = {}
  readonly options: { host: string; port: number; db?: number }
  commandQueue: { length: number; peekFront(): object | undefined } | undefined
  ping = vi.fn(async () => 'PONG')

  constructor(host = 'cache', port = 6379, db?: number) {
    super()
    this.options = { host, port, ...(db !== undefined && { db }) }
  }

  info = async () => 'redis_version:7.2.1'
  sendCommand(): void {}
}

const open: { close(): void }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})

function discover(options: Parameters<typeof discoverClients>[0] = { kinds: ['db', 'redis'] }) {
  const discovery = discoverClients(options)
  open.push(discovery)
  const manage = (health: Omit<NonNullable<ManagementOptions['health']>, 'discover'> = {}) => {
    const management = createManagement({ report: () => {}, health: { ...health, discover: discovery } })
    open.push(management)
    return management
  }
  return { discovery, manage }
}

/** Emitters are looked at when their constructors have returned and, before the first client, the turn has ended. */
const settled = () => Promise.resolve().then(() => new Promise((resolve) => void setImmediate(resolve)))

describe('a client that the application creates', () => {
  it('is a component, without a line of code', async () => {
    const { manage } = discover()
    const { health } = manage()
    expect((await health.check()).components).not.toHaveProperty('db')
    const pool = new FakePool()
    await settled()
    expect(await health.check('db')).toEqual({
      status: 'UP',
      details: {
        database: 'PostgreSQL 15.4',
        latency: expect.stringMatching(/ms$/),
        host: 'db.internal',
        port: 5432,
        name: 'orders',
        pool: { total: 1, idle: 1, waiting: 0, maximum: 10 },
      },
    })
    expect(pool.queries).toEqual(['SELECT 1', 'SELECT version() AS version'])
  })

  it('belongs to the whole and to groups that include it, never to liveness or by itself to readiness', async () => {
    const { manage } = discover()
    const pool = new FakePool()
    pool.respond = () => Promise.reject(new Error('connect ECONNREFUSED'))
    await settled()
    const { health } = manage({
      groups: { ready: { include: ['readinessState', 'db'] }, liveness: { include: ['*'] } },
    })
    expect((await health.check()).status).toBe('DOWN')
    expect((await health.check('ready'))?.status).toBe('DOWN')
    expect((await health.check('readiness'))?.status).toBe('UP')
    expect((await health.check('liveness'))?.status).toBe('UP')
  })

  it('is looked for once among streams of a kind, such as messages of HTTP, and in each other emitter', async () => {
    discover()
    const looks = { stream: 0, emitter: 0 }
    class Message extends Readable {
      get query(): undefined {
        looks.stream += 1
        return undefined
      }
    }
    class Emitter extends EventEmitter {
      get query(): undefined {
        looks.emitter += 1
        return undefined
      }
    }
    for (let at = 0; at < 3; at++) {
      new Message()
      new Emitter()
      await settled()
    }
    expect(looks).toEqual({ stream: 1, emitter: 3 })
  })

  it('cannot be a member of liveness', () => {
    const { manage } = discover()
    expect(() => manage({ groups: { liveness: { include: ['livenessState', 'db'] } } })).toThrow(
      'health.groups.liveness.include: expected components of livenessState, readinessState, received "db"',
    )
  })

  it('leaves its name to an indicator of the application', async () => {
    const { manage } = discover()
    const { health } = manage({ indicators: { db: () => ({ status: 'UP', details: { own: true } }) } })
    new FakePool()
    await settled()
    expect(await health.check('db')).toEqual({ status: 'UP', details: { own: true } })
  })

  it('is not found after discovery was closed, unless it is added', async () => {
    const { discovery, manage } = discover()
    const { health } = manage()
    discovery.close()
    const pool = new FakePool()
    await settled()
    expect(await health.check('db')).toBeUndefined()
    discovery.add(pool)
    expect((await health.check('db'))?.status).toBe('UP')
    expect(EventEmitter).not.toHaveProperty('init.name', 'replacement')
  })

  it('is UNKNOWN and not woken before the application has used it', async () => {
    const { manage } = discover()
    const pool = new FakePool()
    pool.totalCount = 0
    pool.idleCount = 0
    const lazy = new FakeRedis()
    lazy.status = 'wait'
    await settled()
    const { health } = manage()
    expect(await health.check('db')).toMatchObject({ status: 'UNKNOWN', details: { host: 'db.internal' } })
    expect(await health.check('redis')).toMatchObject({ status: 'UNKNOWN' })
    expect([pool.queries, lazy.ping.mock.calls]).toEqual([[], []])
  })

  it('disappears when the application ends it', async () => {
    const { manage } = discover()
    const [pool, client] = [new FakePool(), new FakeRedis()]
    await settled()
    const { health } = manage()
    expect(Object.keys((await health.check()).components ?? {})).toEqual([
      ...['db', 'livenessState', 'readinessState', 'redis'],
    ])
    pool.ending = true
    client.manuallyClosing = true
    expect(Object.keys((await health.check()).components ?? {})).toEqual(['livenessState', 'readinessState'])
  })

  it('stays DOWN when its connection is lost for good, until there is another one', async () => {
    const { manage } = discover()
    const client = new FakeRedis()
    await settled()
    const { health } = manage({})
    client.retryAttempts = 20
    client.status = 'end'
    client.emit('end')
    expect(await health.check('redis')).toMatchObject({
      status: 'DOWN',
      details: { error: 'the connection was lost', host: 'cache' },
    })
  })

  it('is found after that minute, too, if it replaces one that is lost', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { manage } = discover()
    const client = new FakeRedis()
    await settled()
    const { health } = manage()
    vi.advanceTimersByTime(60_000)
    const unseen = new FakeRedis('other')
    await settled()
    expect((await health.check('redis'))?.components).toBeUndefined()
    client.retryAttempts = 20
    client.status = 'end'
    client.emit('end')
    vi.advanceTimersByTime(600_000)
    const another = new FakeRedis()
    await settled()
    expect(await health.check('redis')).toMatchObject({ status: 'UP', details: { host: 'cache' } })
    // From then on no request pays for it.
    vi.advanceTimersByTime(60_000)
    const later = new FakeRedis('later')
    await settled()
    expect((await health.check('redis'))?.components).toBeUndefined()
    expect([unseen, another, later]).toHaveLength(3)
  })

  it('that turns out to be a connection of a pool neither shows nor is missed', async () => {
    const { manage } = discover()
    const { health } = manage()
    class PgClient extends EventEmitter {
      readonly connectionParameters = { host: 'db.internal', port: 5432, database: 'orders' }
      readonly _connected = true
      readonly _queryable = true
      query() {}
      connect() {}
      end() {}
    }
    const client = new PgClient()
    await settled()
    expect((await health.check()).components).toHaveProperty('db')
    Object.assign(client, { _poolUseCount: 1 })
    client.emit('end')
    expect((await health.check()).components).not.toHaveProperty('db')
  })

  it('of another version, whose state cannot be read, is not shown', async () => {
    const { manage } = discover()
    const pool = new FakePool()
    await settled()
    const { health } = manage()
    Object.defineProperty(pool, 'ending', {
      get() {
        throw new Error('removed')
      },
    })
    expect((await health.check()).components).not.toHaveProperty('db')
    expect((await health.check()).status).toBe('UP')
  })

  it('is found, however many others have been ended before', async () => {
    const { manage } = discover()
    for (let each = 0; each < 100; each++) new FakePool({ database: `tenant-${each}` }).ending = true
    const pool = new FakePool()
    await settled()
    expect((await manage().health.check('db'))?.details?.['name']).toBe('orders')
    expect(pool.queries).toHaveLength(2)
  })

  it('is referenced weakly', async () => {
    const { manage } = discover()
    const { health } = manage()
    await (async () => {
      new FakePool()
      await settled()
      expect((await health.check('db'))?.status).toBe('UP')
    })()
    await eventually(async () => {
      collectGarbage()
      expect(await health.check('db')).toBeUndefined()
    })
  })
})

describe('a pool whose connections are all in use', () => {
  const busy = async () => {
    const { manage } = discover()
    const pool = new FakePool({ max: 2 })
    Object.assign(pool, { totalCount: 2, idleCount: 0, waitingCount: 3 })
    await settled()
    return { pool, health: manage().health }
  }

  it('is UP when one of them comes back, and nothing waits in its queue', async () => {
    const { pool, health } = await busy()
    const checked = health.check('db')
    await eventually(() => expect(pool.listenerCount('release')).toBe(1))
    pool.emit('release')
    expect(await checked).toMatchObject({
      status: 'UP',
      details: { note: 'all connections are in use', pool: { total: 2, idle: 0, waiting: 3, maximum: 2 } },
    })
    expect([pool.queries, pool.listenerCount('release')]).toEqual([[], 0])
  })

  it('is DOWN when none comes back within 2 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { pool, health } = await busy()
    const checked = health.check('db')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await checked).toMatchObject({
      status: 'DOWN',
      details: { error: 'TimeoutError: no response within 2000 ms', pool: { waiting: 3 } },
    })
    expect(pool.listenerCount('release')).toBe(0)
  })
})

describe('several clients', () => {
  it('of one kind are parts, named by their database or host', async () => {
    const { manage } = discover()
    const clients = [
      new FakePool(),
      new FakePool({ database: 'billing' }),
      new FakePool({ host: 'replica' }),
      new FakeRedis('cache'),
      new FakeRedis('/run/redis', 0),
    ]
    await settled()
    const { health } = manage()
    const { components } = await health.check()
    expect(Object.keys(components?.['db']?.components ?? {})).toEqual(['billing', 'orders', 'replica:5432'])
    expect(Object.keys(components?.['redis']?.components ?? {})).toEqual(['_run_redis', 'cache'])
    expect(await health.check('db/billing')).toMatchObject({ status: 'UP', details: { name: 'billing' } })
    expect(await health.check('db/none')).toBeUndefined()
    expect(clients).toHaveLength(5)
  })

  it('are aggregated: DOWN if one of them is', async () => {
    const { manage } = discover()
    const pools = [new FakePool(), new FakePool({ database: 'billing' })]
    await settled()
    const { health } = manage()
    for (const { respond } of pools) expect(respond).toBeTypeOf('function')
    Object.assign(pools[1] ?? {}, { respond: () => Promise.reject(new Error('gone')) })
    expect(await health.check('db')).toMatchObject({
      status: 'DOWN',
      components: { billing: { status: 'DOWN' }, orders: { status: 'UP' } },
    })
  })

  it('of the same target are one, asked over one that is not waiting for the server', async () => {
    const { manage } = discover()
    const [first, worker] = [new FakeRedis(), new FakeRedis()]
    worker.commandQueue = { length: 1, peekFront: () => ({ command: { name: 'bzpopmin' } }) }
    await settled()
    const { health } = manage()
    expect(await health.check('redis')).toMatchObject({ status: 'UP', details: { server: 'Redis 7.2.1' } })
    expect([first.ping.mock.calls.length, worker.ping.mock.calls.length]).toEqual([1, 0])
  })
})

describe('details', () => {
  it.each([
    ['password authentication failed for user "app_user"', 'password authentication failed for user …'],
    [
      "Access denied for user 'app_user'@'10.0.0.7' (using password: YES)",
      'Access denied for user … (using password: YES)',
    ],
    ['role "app_user" does not exist', 'role … does not exist'],
  ])('contain no user of %s', async (message, shown) => {
    const { manage } = discover()
    const pool = new FakePool()
    pool.respond = () => Promise.reject(new Error(message))
    await settled()
    expect((await manage().health.check('db'))?.details?.['error']).toBe(`Error: ${shown}`)
  })
})

describe('the option health.discover', () => {
  it('adds the disk, and everything that is found from then on', async () => {
    const management = createManagement({ health: { discover: true } })
    open.push(management)
    new FakeRedis()
    await settled()
    expect(Object.keys((await management.health.check()).components ?? {})).toEqual([
      ...['diskSpace', 'livenessState', 'readinessState', 'redis'],
    ])
  })

  it('is off by default', async () => {
    const management = createManagement()
    open.push(management)
    new FakeRedis()
    await settled()
    expect(Object.keys((await management.health.check()).components ?? {})).toEqual(['livenessState', 'readinessState'])
  })

  it.each([5, 'db', {}, ['db']])('refuses %j', (discovery) => {
    expect(() => createManagement({ health: { discover: discovery as never } })).toThrow('health.discover: expected')
  })

  it('names the kinds that exist', () => {
    expect(() => discoverClients({ kinds: ['mysql' as never] })).toThrow(
      new RangeError(
        'discoverClients: kinds: expected db, kafka, mongo, nats, rabbit, redis, diskSpace, received "mysql"',
      ),
    )
  })
})
