import type { ManagementOptions } from 'upkeep'
import { bearerToken } from 'upkeep'
import { createLogger } from 'upkeep/logging'
import { describe, expect, it } from 'vitest'
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
    [{ level: 'DEBUG' }, 'Unknown member "level"; expected configuredLevel.'],
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
