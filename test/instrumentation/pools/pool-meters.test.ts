import { createServer } from 'node:http'
import { createPool } from 'generic-pool'
import mysql from 'mysql2'
import mysqlWithPromises from 'mysql2/promise'
import pg from 'pg'
import { Agent, Client, Pool, request } from 'undici'
import { poolMeters } from 'upkeep/instrumentation'
import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it } from 'vitest'
import { describeServer } from '../../support/describe-server.ts'
import { listenOn } from '../../support/listen.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { clientPoolValues, databasePoolValues } from '../../support/pool-meters.ts'
import { findProgram } from '../../support/programs.ts'
import { startMariadb } from '../../support/start-mariadb.ts'
import { startPostgres } from '../../support/start-postgres.ts'
import { type Subject, testGivingUp, testPool } from './pool-suite.ts'

describeServer(
  { name: 'PostgreSQL', program: findProgram('initdb'), install: 'apt-get install postgresql', start: startPostgres },
  (server) => {
    const createPg = (options: pg.PoolConfig = {}): Subject => {
      const pool = new pg.Pool({ connectionString: server().url, max: 2, ...options })
      pool.on('error', () => {})
      const take = async () => {
        const client = await pool.connect()
        return () => client.release()
      }
      return { pool, take, use: () => pool.query('SELECT 1'), close: () => pool.end() }
    }
    testPool('a Pool of pg', createPg)
    testGivingUp('a Pool of pg', () => createPg({ connectionTimeoutMillis: 500 }))

    it('measures a pg Pool that is used with callbacks', async () => {
      const meters = createMeterRegistry()
      const { pool, close } = createPg()
      poolMeters(meters, 'orders', pool)
      await new Promise<void>((resolve, reject) =>
        (pool as pg.Pool).connect((error, _client, done) => {
          done()
          if (error) reject(error)
          else resolve()
        }),
      )
      expect(databasePoolValues(meters, 'orders')).toMatchObject({ active: 0, idle: 1, acquire: 1 })
      await close()
    })

    it('measures the creation of a pg client for a query that waited', async () => {
      const meters = createMeterRegistry()
      const pool = new pg.Pool({ connectionString: server().url, max: 1 })
      poolMeters(meters, 'orders', pool)
      const first = await pool.connect()
      const second = pool.connect()
      first.release(true)
      await expect(second).resolves.not.toBe(first)
      expect(databasePoolValues(meters, 'orders')).toMatchObject({ acquire: 2, creation: 2, usage: 1 })
      ;(await second).release()
      await pool.end()
    })
  },
)

describeServer(
  { name: 'MariaDB', program: findProgram('mariadbd'), install: 'apt-get install mariadb-server', start: startMariadb },
  (server) => {
    testPool('a Pool of mysql2', () => {
      const pool = mysql.createPool({ uri: server().url, connectionLimit: 2 })
      const take = () =>
        new Promise<() => void>((resolve, reject) =>
          pool.getConnection((error, connection) => (error ? reject(error) : resolve(() => connection.release()))),
        )
      const use = () => pool.promise().query('SELECT 1')
      return { pool, take, use, close: () => pool.promise().end() }
    })

    it('measures a connection of mysql2 that is destroyed while in use', async () => {
      const meters = createMeterRegistry()
      const pool = mysqlWithPromises.createPool({ uri: server().url, connectionLimit: 1 })
      poolMeters(meters, 'orders', pool)
      ;(await pool.getConnection()).destroy()
      expect(databasePoolValues(meters, 'orders')).toMatchObject({ total: 0, creation: 1, usage: 1 })
      await pool.query('SELECT 1')
      await expect.poll(() => databasePoolValues(meters, 'orders')['usage']).toBe(2)
      expect(databasePoolValues(meters, 'orders')).toMatchObject({ total: 1, creation: 2 })
      await pool.end()
    })

    testPool('a Pool of mysql2/promise', () => {
      const pool = mysqlWithPromises.createPool({ uri: server().url, connectionLimit: 2 })
      const take = async () => {
        const connection = await pool.getConnection()
        return () => connection.release()
      }
      return { pool, take, use: () => pool.execute('SELECT 1'), close: () => pool.end() }
    })
  },
)

const createGeneric = (acquireTimeoutMillis = 5_000): Subject => {
  const pool = createPool({ create: async () => ({}), destroy: async () => {} }, { max: 2, acquireTimeoutMillis })
  const take = async () => {
    const resource = await pool.acquire()
    return () => pool.release(resource)
  }
  return { pool, take, use: () => pool.use(async () => {}), close: () => pool.drain() }
}
testPool('a Pool of generic-pool', createGeneric)
testGivingUp('a Pool of generic-pool', () => createGeneric(50))

/** A server that holds its answers back until it is told. */
async function startHolding() {
  const held: (() => void)[] = []
  let arrived = () => {}
  const server = createServer((_req, res) => {
    held.push(() => res.end('ok'))
    arrived()
  })
  const port = await listenOn(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    holds: async (count: number) => {
      while (held.length < count) {
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      }
    },
    answer: () => {
      for (const each of held.splice(0)) each()
    },
    close: () => server.close(),
  }
}

describe.each([
  ['a Pool', (origin: string) => new Pool(origin, { connections: 2 })],
  ['an Agent', (_origin: string) => new Agent({ connections: 2 })],
])('undici %s', (_, create) => {
  it('measures connections, pending requests and the number of acquisitions', async () => {
    const server = await startHolding()
    const dispatcher = create(server.origin)
    const meters = createMeterRegistry()
    const stop = poolMeters(meters, 'api', dispatcher)
    const figures = () => clientPoolValues(meters, 'api')
    expect(figures()).toEqual({ active: 0, idle: 0, pending: 0, timeout: 0, acquire: 0 })

    const ask = async () => (await request(server.origin, { dispatcher })).body.text()
    const answers = [ask(), ask(), ask()]
    await server.holds(2)
    expect(figures()).toMatchObject({ active: 2, idle: 0, pending: 1, acquire: 2 })
    server.answer()
    await Promise.race(answers)
    await server.holds(1)
    server.answer()
    expect(await Promise.all(answers)).toEqual(['ok', 'ok', 'ok'])
    expect(figures()).toMatchObject({ pending: 0, acquire: 3, timeout: 0 })
    stop()
    expect(figures()).toEqual({})
    await dispatcher.close()
    server.close()
  })
})

it('counts undici requests that were assigned no connection in time', async () => {
  const meters = createMeterRegistry()
  const connect = (_options: unknown, callback: (error: Error, socket: null) => void) => {
    callback(Object.assign(new Error('Connect Timeout Error'), { code: 'UND_ERR_CONNECT_TIMEOUT' }), null)
  }
  const dispatcher = new Client('http://127.0.0.1:9', { connect: connect as never })
  poolMeters(meters, 'api', dispatcher)
  await expect(request('http://127.0.0.1:9', { dispatcher })).rejects.toThrow('Connect Timeout')
  expect(clientPoolValues(meters, 'api')).toMatchObject({ acquire: 0, timeout: 1 })
  await dispatcher.destroy()
})

describe('poolMeters', () => {
  it("has Spring Boot's names, tags and units", () => {
    const meters = createMeterRegistry()
    poolMeters(meters, 'orders', createGeneric().pool)
    const hikari = (name: string, kind: string) => [`hikaricp.connections${name}`, kind, 'pool=orders']
    const described = [...meters.snapshot()].map(({ id, kind }) => [
      id.name,
      kind,
      id.tags.map(({ key, value }) => `${key}=${value}`).join(),
    ])
    expect(described).toEqual([
      hikari('', 'gauge'),
      hikari('.acquire', 'timer'),
      hikari('.active', 'gauge'),
      hikari('.creation', 'timer'),
      hikari('.idle', 'gauge'),
      hikari('.max', 'gauge'),
      hikari('.min', 'gauge'),
      hikari('.pending', 'gauge'),
      hikari('.timeout', 'counter'),
      hikari('.usage', 'timer'),
      ...['active', 'idle', 'max', 'min'].map((name) => [`jdbc.connections.${name}`, 'gauge', 'name=orders']),
    ])
    for (const { id, kind } of meters.snapshot()) expect(id.baseUnit).toBe(kind === 'timer' ? 'seconds' : undefined)
  })

  it('measures the times of creations and uses, of several pools apart', async () => {
    const clock = createManualClock()
    const meters = createMeterRegistry({ clock })
    const create = async () => {
      clock.advance(100)
      return {}
    }
    const destroy = async () => {}
    const factory = { create, destroy }
    const [one, other] = [createPool(factory, { max: 1 }), createPool(factory, { max: 1 })]
    const stop = poolMeters(meters, 'one', one)
    poolMeters(meters, 'other', other)

    const resource = await one.acquire()
    clock.advance(5_000)
    await one.release(resource)
    const again = await one.acquire()
    clock.advance(1_000)
    await one.destroy(again)
    const total = (name: string, pool: string) => meters.timer(`hikaricp.connections.${name}`, { pool }).total
    expect([total('creation', 'one'), total('acquire', 'one'), total('usage', 'one')]).toEqual([0.1, 0.1, 6])
    expect([total('creation', 'other'), total('usage', 'other')]).toEqual([0, 0])

    stop()
    await one.acquire()
    expect(databasePoolValues(meters, 'one')).toEqual({})
    await other.acquire()
    expect(total('creation', 'other')).toBe(0.1)
    expect(factory.create).toBe(create)
  })

  it('does not record a creation that fails', async () => {
    const meters = createMeterRegistry()
    let works = false
    const create = async () => {
      if (!works) throw new Error('refused')
      return {}
    }
    const pool = createPool({ create, destroy: async () => {} }, { max: 1 })
    poolMeters(meters, 'orders', pool)
    pool.once('factoryCreateError', () => {
      works = true
    })
    await pool.acquire()
    expect(databasePoolValues(meters, 'orders')).toMatchObject({ creation: 1, acquire: 1 })
  })

  it('restores the methods, unless they were patched later', async () => {
    const { pool, close } = createGeneric()
    const target = pool as { acquire: unknown }
    const before = target.acquire
    const stop = poolMeters(createMeterRegistry(), 'a', pool)
    expect(target.acquire).not.toBe(before)
    stop()
    expect(target.acquire).toBe(before)
    expect(Object.hasOwn(target, 'acquire')).toBe(false)

    const meters = createMeterRegistry()
    const stopAgain = poolMeters(meters, 'a', pool)
    const measured = target.acquire as () => Promise<object>
    const wrapped = () => measured.call(pool)
    target.acquire = wrapped
    stopAgain()
    expect(target.acquire).toBe(wrapped)
    await expect(wrapped()).resolves.toEqual({})
    expect(databasePoolValues(meters, 'a')).toEqual({})
    void close
  })

  it.each([[{}], [null], ['pool'], [new Map()]])('rejects %j, which is not a supported pool', (pool) => {
    expect(() => poolMeters(createMeterRegistry(), 'a', pool as never)).toThrow(
      new TypeError('poolMeters: pool: expected a pool of pg, mysql2, generic-pool, tarn, knex or undici'),
    )
  })

  it('rejects an empty name', () => {
    expect(() => poolMeters(createMeterRegistry(), '', createGeneric().pool)).toThrow(
      new TypeError('poolMeters: name: expected a non-empty string'),
    )
  })
})
