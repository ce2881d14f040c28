import { LRUCache } from 'lru-cache'
import { bearerToken, type ManagementOptions } from 'upkeep'
import { createCaches } from 'upkeep/instrumentation'
import { describe, expect, it } from 'vitest'
import { createManagementClient } from '../../support/management-client.ts'

const path = '/management/caches'

function setUp(options: ManagementOptions = {}) {
  const caches = createCaches()
  const cities = new LRUCache<string, number>({ max: 10 })
  const countries = new Map([['fr', 1]])
  cities.set('Paris', 1)
  caches.add('cities', cities)
  caches.add('countries', countries)
  const reports: unknown[] = []
  const { management, send } = createManagementClient({
    expose: ['caches'],
    caches,
    authorize: bearerToken('secret'),
    audit: () => {},
    report: (_message, cause) => reports.push(cause),
    ...options,
  })
  const call = (target: string, method = 'GET') =>
    send(`${path}${target}`, { method, headers: { authorization: 'Bearer secret' } })
  return { caches, cities, countries, management, send, call, reports }
}

describe('GET caches', () => {
  it("has the names of all caches by manager, in Spring Boot Actuator's shape", async () => {
    const { call, caches } = setUp()
    caches.add('__proto__', new Map(), { manager: 'other' })
    expect((await call('')).body).toBe(
      '{"cacheManagers":{"cacheManager":{"caches":{"cities":{"target":"LRUCache"},"countries":{"target":"Map"}}},' +
        '"other":{"caches":{"__proto__":{"target":"Map"}}}}}',
    )
  })

  it('has one by its name, and by its manager', async () => {
    const { call } = setUp()
    const cities = { name: 'cities', cacheManager: 'cacheManager', target: 'LRUCache' }
    expect((await call('/cities')).json).toEqual(cities)
    expect((await call('/cities?cacheManager=cacheManager')).json).toEqual(cities)
    expect((await call('/cities?cacheManager=')).json).toEqual(cities)
    expect((await call('/cities?cacheManager=nope')).status).toBe(404)
    expect((await call('/nope')).status).toBe(404)
  })

  it('is 400 for a name that several managers have', async () => {
    const { call, caches } = setUp()
    caches.add('cities', new Map(), { manager: 'other' })
    expect(await call('/cities')).toMatchObject({
      status: 400,
      json: {
        detail: 'Several managers have a cache of this name; expected the query parameter cacheManager.',
      },
    })
    expect((await call('/cities?cacheManager=other')).json).toMatchObject({ target: 'Map' })
  })

  it('requires an authorized caller, and the option caches', async () => {
    const { send } = setUp({ access: { '*': 'public' } })
    for (const method of ['GET', 'DELETE']) expect((await send(path, { method })).status).toBe(401)
    expect(() => setUp({ caches: undefined })).toThrow(
      'createManagement: caches: expected createCaches(), because "caches" is exposed',
    )
  })
})

describe('DELETE caches', () => {
  it('removes the entries of all caches, or of one', async () => {
    const { call, cities, countries } = setUp()
    expect(await call('/cities', 'DELETE')).toMatchObject({ status: 204, body: null })
    expect([cities.size, countries.size]).toEqual([0, 1])
    cities.set('Rome', 2)
    expect((await call('', 'DELETE')).status).toBe(204)
    expect([cities.size, countries.size]).toEqual([0, 0])
  })

  it('is 404 for an unknown cache, and POST is 405', async () => {
    const { call } = setUp()
    expect((await call('/nope', 'DELETE')).status).toBe(404)
    expect((await call('/cities?cacheManager=nope', 'DELETE')).status).toBe(404)
    expect(await call('', 'POST')).toMatchObject({ status: 405, headers: { Allow: 'GET, HEAD, DELETE, OPTIONS' } })
  })

  it('is 503 and reported if a cache cannot be cleared, and clears the others', async () => {
    const { call, caches, countries, reports } = setUp()
    caches.add('remote', { clear: () => Promise.reject(new Error('redis://:canary-7f3a@cache is away')) })
    const response = await call('', 'DELETE')
    expect(response).toMatchObject({ status: 503, json: { detail: 'The cache "remote" could not be cleared.' } })
    expect(String(response.body)).not.toContain('canary-7f3a')
    expect(countries.size).toBe(0)
    expect(reports).toHaveLength(1)
  })
})

describe('the option caches', () => {
  it('measures the caches until the management is closed, also if the endpoint is not exposed', () => {
    const { management, cities } = setUp({ expose: ['health'] })
    cities.get('Paris')
    const gets = () => [...management.meters.snapshot('cache.gets')]
    expect(gets().map((meter) => 'value' in meter && meter.value)).toEqual(expect.arrayContaining([1, 0]))
    management.close()
    expect(Object.hasOwn(cities, 'get')).toBe(false)
  })
})
