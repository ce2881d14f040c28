import { collection, created, createResources, store } from 'upkeep/rest'
import { describe, expect, it, vi } from 'vitest'
import { createResourcesClient } from '../support/resources-client.ts'

interface Order {
  readonly id: string
  readonly item: string
}

function service() {
  const orders = new Map<string, Order>([['a1', { id: 'a1', item: 'x' }]])
  const report = vi.fn()
  const resources = createResources({
    basePath: '/api',
    report,
    description: { title: 'Orders', version: '1' },
    resources: [
      collection('orders/{order}', {
        list: () => ({ items: [...orders.values()] }),
        create: ({ body }) => {
          const order = { ...(body as Order), id: 'a2' }
          orders.set('a2', order)
          return created('orders/a2', order)
        },
        read: ({ variables }) => orders.get(variables.order),
        replace: ({ current }) => current,
        remove: ({ current }) => orders.delete(current.id),
        embeds: { customer: () => ({ name: 'Alice' }) },
        requirePrecondition: true,
      }),
      collection('free/{order}', {
        read: ({ variables }) => orders.get(variables.order),
        remove: ({ current }) => orders.delete(current.id),
      }),
      store('settings/{name}', {
        read: ({ variables }) => orders.get(variables.name),
        put: ({ variables, body }) => void orders.set(variables.name, body as Order),
        remove: () => true,
      }),
      store('guarded/{name}', {
        read: ({ variables }) => orders.get(variables.name),
        put: ({ variables, body }) => void orders.set(variables.name, body as Order),
        requirePrecondition: true,
      }),
      collection('failing/{one}', {
        list: () => {
          throw new Error('secret')
        },
      }),
    ],
  })
  return { send: createResourcesClient(resources), report, describe: resources.describe }
}

const json = { 'content-type': 'application/json' }
const body = '{"item":"y"}'

describe('a missing member', () => {
  it.each([
    ['DELETE', '/api/orders/none', { 'if-match': '"x"' }],
    ['DELETE', '/api/orders/none', { 'if-match': '*' }],
    ['DELETE', '/api/orders/none', {}],
    ['PUT', '/api/orders/none', { 'if-match': '"x"' }],
    ['PUT', '/api/orders/none', { 'if-none-match': '*' }],
    ['PUT', '/api/orders/none', {}],
    ['DELETE', '/api/free/none', { 'if-match': '"x"' }],
    ['DELETE', '/api/free/none', { 'if-unmodified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }],
    ['DELETE', '/api/settings/none', { 'if-match': '"x"' }],
  ])('is responded to with 404 for %s %s with %j', async (method, target, headers) => {
    const response = await service().send(target, { method, headers: { ...json, ...headers }, body })
    expect([response.status, JSON.parse(response.body).title]).toEqual([404, 'Not Found'])
  })

  it('is responded to with 404 for a repeated DELETE', async () => {
    const { send } = service()
    const headers = { 'if-match': (await send('/api/orders/a1')).headers['etag'] }
    expect((await send('/api/orders/a1', { method: 'DELETE', headers })).status).toBe(204)
    expect((await send('/api/orders/a1', { method: 'DELETE', headers })).status).toBe(404)
  })

  it('is inserted by PUT into a store if the preconditions hold', async () => {
    const put = async (target: string, headers: Readonly<Record<string, string>>) =>
      (await service().send(target, { method: 'PUT', headers: { ...json, ...headers }, body })).status
    expect(await put('/api/settings/new', {})).toBe(201)
    expect(await put('/api/settings/new', { 'if-none-match': '*' })).toBe(201)
    expect(await put('/api/settings/new', { 'if-match': '*' })).toBe(412)
    expect(await put('/api/guarded/new', {})).toBe(428)
    expect(await put('/api/guarded/new', { 'if-none-match': '*' })).toBe(201)
  })
})

describe('a required precondition', () => {
  it.each([
    [{ 'if-none-match': '"x"' }, 428],
    [{ 'if-none-match': '*' }, 412],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-match': '*' }, 204],
    [{}, 428],
  ])('is satisfied by one that names a version: %j is responded to with %i', async (headers, status) => {
    expect((await service().send('/api/orders/a1', { method: 'DELETE', headers })).status).toBe(status)
  })

  it('is not satisfied by If-None-Match with a tag for an existing member of a store', async () => {
    const headers = { ...json, 'if-none-match': '"x"' }
    expect((await service().send('/api/settings/a1', { method: 'PUT', headers, body })).status).toBe(409)
  })
})

describe('the response to a creation', () => {
  it('has the entity tag and the URL of the new member', async () => {
    const { send } = service()
    const { status, headers } = await send('/api/orders', { method: 'POST', headers: json, body })
    const member = await send('/api/orders/a2')
    expect([status, headers]).toEqual([
      201,
      expect.objectContaining({ 'content-location': '/api/orders/a2', etag: member.headers['etag'] }),
    ])
  })

  it.each(['?fields=id', '?embed=customer', '?fields=id&x=1'])(
    'that is shaped by %s has Content-Location and no validator',
    async (query) => {
      const { send } = service()
      const { headers, body: content } = await send(`/api/orders${query}`, { method: 'POST', headers: json, body })
      const address = `/api/orders/a2${query.replace('&x=1', '')}`
      expect(headers).toMatchObject({ location: '/api/orders/a2', 'content-location': address })
      expect(headers).not.toHaveProperty('etag')
      expect((await send(address)).body).toBe(content)
    },
  )
})

describe('a request to resources', () => {
  it('that fails is reported with its whole path, without its query', async () => {
    const { send, report } = service()
    expect((await send('/api/failing?key=secret', { base: 'http://orders.example/ops' })).status).toBe(500)
    expect(report.mock.calls).toEqual([['GET /ops/api/failing failed', expect.objectContaining({ message: 'secret' })]])
  })

  it('for a page cannot have a size with leading zeros', async () => {
    const { send } = service()
    expect((await send('/api/orders?pageSize=8')).status).toBe(200)
    expect((await send('/api/orders?pageSize=08')).status).toBe(400)
    expect((await send('/api/orders?pageStartIndex=0')).status).toBe(200)
    expect((await send('/api/orders?pageStartIndex=00')).status).toBe(400)
  })

  it('with an empty Accept list accepts anything', async () => {
    const { send } = service()
    for (const accept of ['', ',', ' , ,', undefined]) {
      expect((await send('/api/orders', { headers: { accept } })).status).toBe(200)
    }
  })
})
