import type { ManagementOptions } from 'upkeep'
import { bearerToken } from 'upkeep'
import { createLogger } from 'upkeep/logging'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createManagementClient } from '../../support/management-client.ts'

const path = '/management/loggers'

function loggers(options: ManagementOptions = {}) {
  const logger = createLogger({ application: { name: 'orders' }, write: () => {} })
  logger.child({ logger: 'orders' }).child({ logger: 'orders.db' })
  const managed = createManagementClient({
    expose: ['loggers'],
    loggers: logger.loggers,
    authorize: bearerToken('secret'),
    ...options,
  })
  const post = (name: string, body: unknown, headers = {}) =>
    managed.send(`${path}/${name}`, {
      method: 'POST',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json', ...headers },
      body: () => ({ kind: 'bytes', bytes: bytesOf(typeof body === 'string' ? body : JSON.stringify(body)) }),
    })
  return { ...managed, logger, post }
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

describe('GET loggers', () => {
  it("has every logger's level, in Spring Boot Actuator's shape", async () => {
    const { send, logger } = loggers()
    logger.loggers.configure('orders', 'DEBUG')
    const { json, headers } = await send(path)
    expect(json).toEqual({
      levels: ['OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'],
      loggers: {
        ROOT: { configuredLevel: 'INFO', effectiveLevel: 'INFO' },
        orders: { configuredLevel: 'DEBUG', effectiveLevel: 'DEBUG' },
        'orders.db': { effectiveLevel: 'DEBUG' },
      },
      groups: {},
    })
    expect(headers).toMatchObject({ 'Cache-Control': 'no-cache', ETag: expect.any(String) })
  })

  it('has one by its name', async () => {
    const { send } = loggers()
    expect((await send(`${path}/orders.db`)).json).toEqual({ effectiveLevel: 'INFO' })
    expect((await send(`${path}/unknown`)).status).toBe(404)
  })

  it('is served and linked if it is exposed', async () => {
    expect((await loggers({ expose: ['health'] }).send(path)).status).toBe(404)
    const { json } = await loggers().send('/management')
    expect(json).toMatchObject({
      _links: {
        loggers: { href: path, templated: false },
        'loggers-name': { href: `${path}/{name}`, templated: true },
      },
    })
  })

  it('is not changed and not sent again to who has it', async () => {
    const { send } = loggers()
    const etag = (await send(path)).headers['ETag'] ?? ''
    expect((await send(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  it('requires the option loggers if it is exposed', () => {
    expect(() => createManagementClient({ expose: ['loggers'] })).toThrow(
      'createManagement: loggers: expected logger.loggers, pinoLoggers(logger) or ' +
        'winstonLoggers(logger), because "loggers" is exposed, received undefined',
    )
  })
})

describe('POST loggers/{name}', () => {
  it.each([
    [{ configuredLevel: 'DEBUG' }, { configuredLevel: 'DEBUG', effectiveLevel: 'DEBUG' }],
    [{ configuredLevel: 'off' }, { configuredLevel: 'OFF', effectiveLevel: 'OFF' }],
    [{ configuredLevel: null }, { effectiveLevel: 'INFO' }],
    [{}, { effectiveLevel: 'INFO' }],
  ])('responds to %j with 204', async (body, level) => {
    const { send, post } = loggers()
    await post('orders', { configuredLevel: 'TRACE' })
    expect(await post('orders', body)).toMatchObject({ status: 204, body: null })
    expect((await send(`${path}/orders`)).json).toEqual(level)
  })

  it("accepts the media types of Spring Boot's consoles", async () => {
    const type = 'application/vnd.spring-boot.actuator.v2+json'
    expect((await loggers().post('orders', { configuredLevel: 'WARN' }, { 'content-type': type })).status).toBe(204)
  })

  const levels = 'OFF, ERROR, WARN, INFO, DEBUG, TRACE, or null'
  it.each([
    [{ configuredLevel: 'LOUD' }, `The member configuredLevel must be one of ${levels}, received "LOUD".`],
    [{ configuredLevel: 'FATAL' }, `The member configuredLevel must be one of ${levels}, received "FATAL".`],
    [{ configuredLevel: 7 }, `The member configuredLevel must be one of ${levels}, received 7.`],
    [{ level: 'DEBUG' }, 'Unknown member "level"; expected configuredLevel or for.'],
    [{ ['x'.repeat(60_000)]: 1 }, `Unknown member "${'x'.repeat(99)}; expected configuredLevel or for.`],
    [['DEBUG'], 'The body must be an object with the member configuredLevel.'],
    ['{', 'The body must be JSON.'],
  ])('responds to %j with 400, and changes nothing', async (body, detail) => {
    const { send, post } = loggers()
    expect(await post('orders', body)).toMatchObject({ status: 400, json: { detail } })
    expect((await send(`${path}/orders`)).json).toEqual({ effectiveLevel: 'INFO' })
  })

  it('responds to an unknown logger with 404', async () => {
    const { send, post } = loggers()
    expect((await post('unknown', { configuredLevel: 'DEBUG' })).status).toBe(404)
    expect((await send(path)).json).not.toHaveProperty('loggers.unknown')
  })

  it('responds with 415 to another media type, and with 405 to a write without a logger', async () => {
    const { send, post } = loggers()
    expect((await post('orders', { configuredLevel: 'DEBUG' }, { 'content-type': 'text/plain' })).status).toBe(415)
    expect(await send(path, { method: 'POST' })).toMatchObject({
      status: 405,
      headers: { Allow: 'GET, HEAD, OPTIONS' },
    })
    expect(await send(`${path}/orders`, { method: 'PUT' })).toMatchObject({
      status: 405,
      headers: { Allow: 'GET, HEAD, POST, OPTIONS' },
    })
  })

  it('requires an authorized caller to write, but not to read', async () => {
    const { send, post } = loggers()
    const response = await post('orders', { configuredLevel: 'DEBUG' }, { authorization: 'Bearer guessed' })
    expect(response).toMatchObject({
      status: 401,
      headers: { 'WWW-Authenticate': 'Bearer realm="management", error="invalid_token"' },
    })
    expect((await send(`${path}/orders`)).json).toEqual({ effectiveLevel: 'INFO' })
  })

  it('is not writable without the option authorize', async () => {
    const { send, post } = loggers({ authorize: undefined })
    expect((await post('orders', { configuredLevel: 'DEBUG' })).status).toBe(403)
    expect((await send(`${path}/orders`)).json).toEqual({ effectiveLevel: 'INFO' })
  })

  it('evaluates preconditions, so that later changes are not overwritten', async () => {
    const { send, post } = loggers()
    const etag = (await send(`${path}/orders`)).headers['ETag'] ?? ''
    expect((await post('orders', { configuredLevel: 'DEBUG' }, { 'if-match': etag })).status).toBe(204)
    expect((await post('orders', { configuredLevel: 'TRACE' }, { 'if-match': etag })).status).toBe(412)
  })
})

describe('a group of loggers', () => {
  const loggerGroups = { sql: ['orders.db', 'knex'], gone: ['knex'] }

  it('is shown with its members', async () => {
    const { send } = loggers({ loggerGroups })
    expect((await send(path)).json).toMatchObject({
      groups: { sql: { members: ['orders.db', 'knex'] }, gone: { members: ['knex'] } },
    })
    expect((await send(`${path}/sql`)).json).toEqual({ members: ['orders.db', 'knex'] })
  })

  it('changes the level of all its members that exist', async () => {
    const { send, post } = loggers({ loggerGroups: { all: ['orders', 'orders.db', 'knex'] } })
    expect((await post('all', { configuredLevel: 'TRACE' })).status).toBe(204)
    expect((await send(`${path}/all`)).json).toEqual({
      configuredLevel: 'TRACE',
      members: ['orders', 'orders.db', 'knex'],
    })
    for (const name of ['orders', 'orders.db']) {
      expect((await send(`${path}/${name}`)).json).toEqual({ configuredLevel: 'TRACE', effectiveLevel: 'TRACE' })
    }
    await post('all', { configuredLevel: null })
    expect((await send(`${path}/all`)).json).toEqual({ members: ['orders', 'orders.db', 'knex'] })
    expect((await send(`${path}/orders.db`)).json).toEqual({ effectiveLevel: 'INFO' })
  })

  it('is 404 to a change if none of its members exists', async () => {
    const { post } = loggers({ loggerGroups })
    expect(await post('gone', { configuredLevel: 'TRACE' })).toMatchObject({
      status: 404,
      json: { detail: 'No logger of the group exists.' },
    })
  })

  it.each([
    [{ sql: 'orders.db' }, 'loggerGroups.sql: expected an array of names of loggers, received "orders.db"'],
    [['sql'], 'loggerGroups: expected an object of arrays of names of loggers, received an array'],
  ])('is rejected as %j', (groups, message) => {
    expect(() => loggers({ loggerGroups: groups as never })).toThrow(`createManagement: ${message}`)
  })
})

describe('a temporary level', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 }))
  afterEach(() => void vi.useRealTimers())

  it('is restored after its time, and that is reported', async () => {
    const reports: string[] = []
    const { send, post } = loggers({ report: (message) => reports.push(message), audit: () => {} })
    expect((await post('orders', { configuredLevel: 'DEBUG', for: '15m' })).status).toBe(204)
    expect((await send(`${path}/orders`)).json).toEqual({
      configuredLevel: 'DEBUG',
      effectiveLevel: 'DEBUG',
      revertsAt: '1970-01-01T00:15:00.000Z',
    })
    vi.advanceTimersByTime(899_999)
    expect((await send(`${path}/orders`)).json).toMatchObject({ effectiveLevel: 'DEBUG' })
    vi.advanceTimersByTime(1)
    expect((await send(`${path}/orders`)).json).toEqual({ effectiveLevel: 'INFO' })
    expect(reports).toEqual(['loggers: the temporary level of orders has ended, it is INFO again'])
  })

  it('is replaced by a later one, after which the level before both is restored', async () => {
    const { send, post } = loggers()
    await post('orders', { configuredLevel: 'WARN' })
    await post('orders', { configuredLevel: 'DEBUG', for: '15m' })
    vi.advanceTimersByTime(600_000)
    await post('orders', { configuredLevel: 'TRACE', for: '15m' })
    vi.advanceTimersByTime(600_000)
    expect((await send(`${path}/orders`)).json).toMatchObject({ effectiveLevel: 'TRACE' })
    vi.advanceTimersByTime(300_000)
    expect((await send(`${path}/orders`)).json).toEqual({ configuredLevel: 'WARN', effectiveLevel: 'WARN' })
  })

  it('becomes permanent by a change without a time', async () => {
    const { send, post } = loggers()
    await post('orders', { configuredLevel: 'DEBUG', for: '15m' })
    await post('orders', { configuredLevel: 'DEBUG' })
    vi.advanceTimersByTime(900_000)
    expect((await send(`${path}/orders`)).json).toEqual({ configuredLevel: 'DEBUG', effectiveLevel: 'DEBUG' })
  })

  it('of a group is restored for its members, except for those that were changed meanwhile', async () => {
    const { send, post } = loggers({ loggerGroups: { all: ['orders', 'orders.db'] } })
    await post('all', { configuredLevel: 'TRACE', for: '1h' })
    expect((await send(`${path}/all`)).json).toMatchObject({ revertsAt: '1970-01-01T01:00:00.000Z' })
    await post('orders.db', { configuredLevel: 'ERROR' })
    vi.advanceTimersByTime(3_600_000)
    expect((await send(path)).json).toMatchObject({
      loggers: { orders: { effectiveLevel: 'INFO' }, 'orders.db': { configuredLevel: 'ERROR' } },
      groups: { all: { members: ['orders', 'orders.db'] } },
    })
    expect((await send(`${path}/all`)).json).toEqual({ members: ['orders', 'orders.db'] })
  })

  it('ends when the management is closed', async () => {
    const { management, logger, post } = loggers()
    await post('orders', { configuredLevel: 'DEBUG', for: '7d' })
    management.close()
    expect(logger.loggers.level('orders')).toEqual({ effectiveLevel: 'INFO' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([['8d'], ['0s'], ['soon'], [15], [-1]])('is rejected with 400 for %j', async (duration) => {
    const { send, post } = loggers()
    expect(await post('orders', { configuredLevel: 'DEBUG', for: duration })).toMatchObject({
      status: 400,
      json: {
        detail: `The member for must be a duration such as "15m", up to "7d", received ${JSON.stringify(duration)}.`,
      },
    })
    expect((await send(`${path}/orders`)).json).toEqual({ effectiveLevel: 'INFO' })
  })
})
