import {
  collection,
  controller,
  createResources,
  document,
  formBody,
  jsonBody,
  pathTo,
  problem,
  type ResourcesOptions,
  representation,
  store,
  textBody,
  validate,
} from 'upkeep/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createOrdersService } from '../support/orders-service.ts'
import { createResourcesClient } from '../support/resources-client.ts'

const service = (options: ResourcesOptions) => createResourcesClient(createResources({ report: () => {}, ...options }))
const json = (body: unknown, headers = {}) => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

describe('createResources', () => {
  const read = () => ({})
  it.each<readonly [string, () => unknown, string]>([
    [
      'a method that is there twice',
      () => createResources({ resources: [document('orders/{a}', { read }), document('orders/{b}', { read })] }),
      'duplicate GET of "orders/{b}", also defined as "orders/{a}"',
    ],
    [
      'a path with a slash at its start',
      () => createResources({ resources: [document('/orders', { read })] }),
      'expected a path without leading or trailing slash, such as "orders/{order}", received "/orders"',
    ],
    [
      'a collection without a variable',
      () => collection('orders', {}),
      'path: expected a path that ends with a variable',
    ],
    [
      'a store without a list to drop',
      () => store('orders/{order}', { read, drop: () => {} }),
      'drop: expected list as well',
    ],
    [
      'a base path with a slash at its end',
      () => createResources({ resources: [], basePath: '/api/' }),
      'basePath: expected "/" or',
    ],
    [
      'a limit that is none',
      () => createResources({ resources: [], bodyLimitBytes: -1 }),
      'bodyLimitBytes: expected an integer of 1 or more, received -1',
    ],
    [
      'a version that is there twice',
      () => representation('a', z.string(), { older: [{ version: 1, schema: z.string() }] }),
      'with the newest as version, received 1, 1',
    ],
    [
      'a media type that is no JSON',
      () => representation('a', z.string(), { mediaType: 'text/csv' }),
      'mediaType: expected a JSON media type',
    ],
    ['a name that is none', () => representation('A b', z.string()), 'name: expected lowercase letters'],
  ])('refuses %s', (_what, make, message) => {
    expect(make).toThrow(message)
  })

  it('passes on requests outside its base path, and unknown ones at the root', () => {
    const request = {
      method: 'GET',
      headers: {},
      base: '',
      body: () => ({ kind: 'parsed', value: undefined }) as const,
    }
    const below = createResources({ basePath: '/api', resources: [document('status', { read })] })
    expect(below({ ...request, target: '/status' })).toBeUndefined()
    const root = createResources({ resources: [document('status', { read })] })
    expect(root({ ...request, target: '/elsewhere' })).toBeUndefined()
    expect(root({ ...request, target: '/status' })).toBeDefined()
  })

  it('merges definitions of the same address with different methods', async () => {
    const send = service({
      resources: [
        document('hooks/{hook}', { read: ({ variables }) => ({ hook: variables.hook }), access: 'authorized' }),
        controller('hooks/{key}', { run: ({ variables }) => ({ key: variables.key }) }),
      ],
    })
    expect(JSON.parse((await send('/hooks/a', { method: 'POST' })).body)).toEqual({ key: 'a' })
    expect((await send('/hooks/a')).status).toBe(403)
    expect((await send('/hooks/a', { method: 'OPTIONS' })).headers['allow']).toBe('GET, HEAD, POST, OPTIONS')
  })

  it('returns the template of an address, without anything from the request', () => {
    const { resources } = createOrdersService()
    const request = {
      method: 'GET',
      headers: {},
      base: '',
      body: () => ({ kind: 'parsed', value: undefined }) as const,
    }
    expect(resources.templateOf?.({ ...request, target: '/api/orders/secret?x=1' })).toBe('/api/orders/{order}')
    expect(resources.templateOf?.({ ...request, target: '/api/none' })).toBeUndefined()
  })

  it('names the relation of a link that is not declared', async () => {
    const causes: unknown[] = []
    const send = service({
      resources: [document('status', { read: () => ({}), links: () => ({ cancel: 'a' }) })],
      report: (_message, cause) => void causes.push(cause),
    })
    expect((await send('/status')).status).toBe(500)
    expect(causes).toEqual([
      new TypeError('createResources: relations: expected a declaration of the relation "cancel"'),
    ])
  })
})

describe('a change that requires a precondition', () => {
  const put = (headers = {}) => ({ method: 'PUT', ...json({ value: 'a' }, headers) })
  it('is refused with 428 without one, before its body is read', async () => {
    const send = createResourcesClient(createOrdersService().resources)
    expect((await send('/api/drafts/d', { method: 'PUT', headers: {}, body: '{' })).status).toBe(428)
    expect((await send('/api/drafts/d', put({ 'if-none-match': '*' }))).status).toBe(201)
    expect((await send('/api/drafts/d', put())).status).toBe(428)
    expect((await send('/api/drafts/d', { method: 'DELETE' })).status).toBe(428)
    expect((await send('/api/drafts/d', { method: 'DELETE', headers: { 'if-match': '*' } })).status).toBe(204)
  })

  it('does not accept an invalid date as one', async () => {
    const send = createResourcesClient(createOrdersService().resources)
    await send('/api/drafts/d', put({ 'if-none-match': '*' }))
    for (const since of ['Thu, 01 Jan 2026 00:00:00 GMT', 'yesterday']) {
      expect((await send('/api/drafts/d', put({ 'if-unmodified-since': since }))).status).toBe(428)
    }
  })
})

describe('a failed precondition', () => {
  it('prevents the action', async () => {
    const { resources, done } = createOrdersService()
    const send = createResourcesClient(resources)
    const headers = { 'if-match': '"other"' }
    await send('/api/orders/a', { method: 'DELETE', headers })
    await send('/api/orders/a', { method: 'PUT', ...json({}, headers) })
    expect(done).toEqual({})
  })
})

describe('the current value', () => {
  it('is read once for preconditions and action', async () => {
    let reads = 0
    const send = service({
      resources: [document('status', { read: () => ({ reads: ++reads }), replace: ({ current }) => current })],
    })
    const { headers } = await send('/status')
    const changed = await send('/status', { method: 'PUT', ...json({}, { 'if-none-match': '"x"' }) })
    expect([headers['etag'], changed.status, reads]).toEqual([expect.any(String), 200, 2])
    expect(changed.headers).toMatchObject({ 'content-location': '/status', 'cache-control': 'no-store' })
    expect(changed.headers).not.toHaveProperty('etag')
  })
})

describe('a request body', () => {
  const form = formBody(z.object({ text: z.string(), tag: z.array(z.string()).optional() }))
  const take = service({
    resources: [
      controller('take', { accepts: [jsonBody<unknown>(), form, textBody()], run: ({ body }) => ({ body }) }),
      controller('ignore', { run: ({ body }) => ({ body: body ?? 'nothing' }) }),
    ],
  })
  it.each<readonly [string, string, unknown]>([
    ['application/json', '{"a":1}', { a: 1 }],
    ['application/x-www-form-urlencoded', 'text=a+b%20%E2%98%82&tag=1&tag=2', { text: 'a b ☂', tag: ['1', '2'] }],
    ['text/plain; charset=utf-8', 'h\u00e9', 'h\u00e9'],
  ])('of %s is parsed by its format', async (type, body, value) => {
    const response = await take('/take', { method: 'POST', headers: { 'content-type': type }, body })
    expect(JSON.parse(response.body)).toEqual({ body: value })
  })

  it('that the schema rejects is refused with the location of each fault', async () => {
    const response = await take('/take', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'tag=1',
    })
    expect(JSON.parse(response.body)).toMatchObject({ status: 400, errors: [{ path: '/text' }, { path: '/tag' }] })
  })

  it('is not read where none is accepted', async () => {
    expect(JSON.parse((await take('/ignore', { method: 'POST', body: '{{{' })).body)).toEqual({ body: 'nothing' })
  })
})

describe('problem', () => {
  it('has the given members, which cannot override those of the document', async () => {
    const cause = new Error('password=hunter2')
    const send = service({
      resources: [
        document('shelf', {
          read: () => {
            throw problem(409, {
              type: 'https://example.com/full',
              title: 'Full',
              detail: 'No room.',
              status: 200,
              instance: '/x',
              rooms: 3,
              headers: { 'Retry-After': '1' },
              cause,
            })
          },
        }),
        document('shelves', {
          read: () => {
            throw problem(400, { big: 1n })
          },
        }),
      ],
    })
    const response = await send('/shelf')
    expect(response.headers['retry-after']).toBe('1')
    expect(JSON.parse(response.body)).toEqual({
      type: 'https://example.com/full',
      title: 'Full',
      status: 409,
      detail: 'No room.',
      instance: '/shelf',
      rooms: 3,
    })
    expect(JSON.parse((await send('/shelves')).body)).toMatchObject({ status: 400, title: 'Bad Request' })
  })
})

describe('validate', () => {
  it('returns the value, or throws 400 with JSON Pointers to the faults', async () => {
    const schema = z.object({ 'a/b~c': z.array(z.number()) })
    expect(await validate(schema, { 'a/b~c': [1] })).toEqual({ 'a/b~c': [1] })
    await expect(validate(schema, { 'a/b~c': [1, 'x'] })).rejects.toMatchObject({
      status: 400,
      members: { errors: [{ path: '/a~1b~0c/1' }] },
    })
  })

  it('lists at most a hundred faults', async () => {
    const wrong = Array.from({ length: 5_000 }, () => 'x')
    const error = await validate(z.array(z.number()), wrong).catch((thrown) => thrown)
    expect(error.members.errors.length).toBe(100)
  })
})

describe('pathTo', () => {
  it('encodes each variable as one segment', () => {
    expect(pathTo('orders/{order}/lines/{line}', { order: 'a/b', line: 'é ?' })).toBe('orders/a%2Fb/lines/%C3%A9%20%3F')
    expect(() => pathTo('orders/{order}', { order: '' })).toThrow('pathTo: orders/{order}: expected a value for order')
  })
})
