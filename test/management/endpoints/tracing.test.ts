import { bearerToken, type ManagementOptions, traced } from 'upkeep'
import { createResources } from 'upkeep/rest'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createManagementClient, type ManagementClient } from '../../support/management-client.ts'
import { startExportingService } from '../../support/otlp/failed-requests.ts'

const path = '/management/tracing'
const authorization = 'Bearer secret'

afterEach(() => {
  vi.useRealTimers()
})

function useFakeTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.UTC(2026, 0, 1) })
}

/** A management whose endpoint `tracing` a caller reads and changes. */
function tracing(options: ManagementOptions = {}) {
  useFakeTimers()
  const client = createManagementClient({
    ...{ expose: ['tracing'], authorize: bearerToken('secret'), metrics: { runtime: false } },
    ...{ tracing: { probability: 0 } },
    ...options,
  })
  return { ...client, ...caller(client.send), close: client.management.close }
}

function caller(send: ManagementClient['send']) {
  return {
    get: async () => (await send(path, { headers: { authorization } })).json,
    post: (body: unknown, headers = {}) =>
      send(path, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        body: () => ({ kind: 'bytes', bytes: bytesOf(typeof body === 'string' ? body : JSON.stringify(body)) }),
      }),
  }
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

const isSampled = () => traced('work', (span) => span !== undefined && (span.context.flags & 1) === 1)

describe('GET tracing', () => {
  it('has the probability and the rule, as they are and as they are configured', async () => {
    const { get, close } = tracing({ tracing: { probability: 0.25 } })
    const rules = { probability: 0.25, keepFailedRequests: false }
    expect(await get()).toEqual({ enabled: true, ...rules, configured: rules })
    close()
  })

  it('has the rules of the export, once telemetry has started', async () => {
    const { management } = await startExportingService(
      { tracing: { probability: 0.5 }, keepFailedRequests: { slowerThan: '2s' } },
      { expose: ['tracing'], authorize: bearerToken('secret') },
    )
    const response = await management({ ...request(), method: 'GET' })
    const rules = { probability: 0.5, keepFailedRequests: { slowerThan: '2s' } }
    expect(JSON.parse(String(response?.body))).toEqual({ enabled: true, ...rules, configured: rules })
  })

  it('is disabled while the process is not traced', async () => {
    const { get, post, close } = tracing({ tracing: false })
    expect(await get()).toEqual({ enabled: false })
    expect(await post({ probability: 1 })).toMatchObject({
      status: 409,
      json: { detail: 'The process is not traced.' },
    })
    close()
  })

  it.each<[who: string, headers: Readonly<Record<string, string>>]>([
    ['without credentials', {}],
    ['with other credentials', { authorization: 'Bearer guessed' }],
  ])(
    'requires an authorized caller to read and to write, also where all endpoints are public: %s',
    async (_, headers) => {
      const { send, post, get, close } = tracing({ access: { '*': 'public' } })
      expect((await send(path, { headers })).status).toBe(401)
      expect((await post({ probability: 1 }, { authorization: '', ...headers })).status).toBe(401)
      expect(await get()).toMatchObject({ probability: 0 })
      close()
    },
  )

  it('is not exposed by default, and requires the option authorize', async () => {
    const { send, close } = tracing({ expose: ['health'] })
    expect((await send(path, { headers: { authorization } })).status).toBe(404)
    close()
    expect(() => createManagementClient({ expose: ['tracing'] })).toThrow(
      'createManagement: the endpoint "tracing" requires the option "authorize", such as bearerToken(',
    )
  })

  it('is linked, and described in OpenAPI with the credentials that it requires', async () => {
    const { send, management, close } = tracing()
    expect((await send('/management')).status).toBe(200)
    expect((await send('/management')).json).toMatchObject({
      _links: { tracing: { href: path, templated: false } },
    })
    const operations = management.describeOperations().filter(({ path: each }) => each === path)
    expect(operations.map(({ method, authorized, scheme }) => [method, authorized, scheme])).toEqual([
      ['GET', true, 'bearer'],
      ['POST', true, 'bearer'],
    ])
    expect(() =>
      createResources({ resources: [], description: { title: 'Orders', version: '1', management } }),
    ).not.toThrow()
    close()
  })
})

describe('POST tracing', () => {
  it('changes the probability, and reverts it when the time has passed', async () => {
    const { get, post, close } = tracing()
    expect(isSampled()).toBe(false)
    expect(await post({ probability: 1, for: '10m' })).toMatchObject({ status: 204, body: null })
    expect(isSampled()).toBe(true)
    expect(await get()).toMatchObject({
      ...{ probability: 1, revertsAt: '2026-01-01T00:10:00.000Z' },
      configured: { probability: 0, keepFailedRequests: false },
    })
    vi.advanceTimersByTime(600_000 - 1)
    expect(isSampled()).toBe(true)
    vi.advanceTimersByTime(1)
    expect(isSampled()).toBe(false)
    expect(await get()).not.toHaveProperty('revertsAt')
    close()
  })

  it('changes for 15 minutes by default', async () => {
    const { get, post, close } = tracing()
    await post({ probability: 1 })
    expect(await get()).toMatchObject({ revertsAt: '2026-01-01T00:15:00.000Z' })
    close()
  })

  it('replaces an earlier change, and its time', async () => {
    const { get, post, close } = tracing()
    await post({ probability: 1, for: '1m' })
    await post({ probability: 0.5, for: '5m' })
    vi.advanceTimersByTime(60_000)
    expect(await get()).toMatchObject({ probability: 0.5, revertsAt: '2026-01-01T00:05:00.000Z' })
    vi.advanceTimersByTime(240_000)
    expect(await get()).toMatchObject({ probability: 0 })
    close()
  })

  it.each([[{}], [{ for: '5m' }]])('reverts at once with %j', async (body) => {
    const { get, post, close } = tracing()
    await post({ probability: 1 })
    expect((await post(body)).status).toBe(204)
    expect(await get()).toEqual({
      enabled: true,
      ...{ probability: 0, keepFailedRequests: false },
      configured: { probability: 0, keepFailedRequests: false },
    })
    close()
  })

  it('ends with the management whose tracing it has changed', async () => {
    const { post, close } = tracing()
    await post({ probability: 1 })
    expect(vi.getTimerCount()).toBe(1)
    close()
    expect(vi.getTimerCount()).toBe(0)
  })

  const members = 'probability, keepFailedRequests, for'
  it.each([
    ['{', 'The body must be JSON.'],
    [[], `The body must be an object with members of ${members}.`],
    ['null', `The body must be an object with members of ${members}.`],
    [{ probability: 1, during: '5m' }, `Unknown member "during"; expected ${members}.`],
    [{ probability: '1' }, 'The member probability must be a number from 0 to 1, received "1".'],
    [{ probability: -0.5 }, 'The member probability must be a number from 0 to 1, received -0.5.'],
    [{ probability: 1.5 }, 'The member probability must be a number from 0 to 1, received 1.5.'],
    [{ probability: null }, 'The member probability must be a number from 0 to 1, received null.'],
    [{ keepFailedRequests: 'yes' }, 'The member keepFailedRequests must be true, false or an object, received "yes".'],
    [{ keepFailedRequests: { than: '1s' } }, 'Unknown member "than"; expected slowerThan.'],
    [
      { keepFailedRequests: { slowerThan: 1 } },
      'The member keepFailedRequests.slowerThan must be a duration such as "1s" of more than 0, received 1.',
    ],
    [
      { probability: 1, for: 'ever' },
      'The member for must be a duration such as "15m" of more than 0 and at most 1 day, received "ever".',
    ],
    [
      { probability: 1, for: '0s' },
      'The member for must be a duration such as "15m" of more than 0 and at most 1 day, received "0s".',
    ],
    [
      { probability: 1, for: '25h' },
      'The member for must be a duration such as "15m" of more than 0 and at most 1 day, received "25h".',
    ],
  ])('responds to %j with 400, and changes nothing', async (body, detail) => {
    const { get, post, close } = tracing()
    expect(await post(body)).toMatchObject({ status: 400, json: { detail } })
    expect(await get()).toMatchObject({ probability: 0, configured: { probability: 0 } })
    expect(await get()).not.toHaveProperty('revertsAt')
    close()
  })

  it('responds with 409 if failed requests are to be kept while upkeep does not export traces', async () => {
    const { get, post, close } = tracing()
    expect(await post({ probability: 1, keepFailedRequests: true })).toMatchObject({
      status: 409,
      json: { detail: 'Failed requests can be kept only while startTelemetry of upkeep exports traces.' },
    })
    expect(await get()).toMatchObject({ probability: 0 })
    close()
  })

  it('responds with 405 to other methods, and with 415 to another media type', async () => {
    const { send, post, close } = tracing()
    expect(await send(path, { method: 'DELETE', headers: { authorization } })).toMatchObject({
      status: 405,
      headers: { Allow: 'GET, HEAD, POST, OPTIONS' },
    })
    expect((await post({ probability: 1 }, { 'content-type': 'text/plain' })).status).toBe(415)
    close()
  })

  it('is refused if a page of another site requests it', async () => {
    const { get, post, close } = tracing()
    expect((await post({ probability: 1 }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect(await get()).toMatchObject({ probability: 0 })
    close()
  })

  it('keeps failed requests for a time, where that is off', async () => {
    const service = await startExportingService({}, { expose: ['tracing'], authorize: bearerToken('secret') })
    const { post } = caller(async (target, sent = {}) => {
      const response = await service.management({ ...request(), ...sent, target })
      if (response === undefined) throw new Error('passed on')
      return { ...response, json: undefined }
    })
    const fail = async (name: string) => {
      const one = service.request()
      one.work(name)
      await one.respond(500)
    }
    await fail('before')
    useFakeTimers()
    expect((await post({ keepFailedRequests: { slowerThan: '5s' }, for: '1m' })).status).toBe(204)
    await fail('during')
    vi.advanceTimersByTime(60_000)
    vi.useRealTimers()
    await fail('after')
    const { spans, records } = await service.exported()
    expect(spans.map(({ name }) => name)).toEqual(['during', 'GET /orders'])
    expect(records.map(({ name }) => name)).toEqual(['in during'])
  })
})

function request() {
  const headers: Readonly<Record<string, string>> = { authorization }
  const body = () => ({ kind: 'bytes' as const, bytes: bytesOf('') })
  return { method: 'GET', target: path, headers, base: 'http://127.0.0.1', body }
}
