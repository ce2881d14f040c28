import { checkBaseUrl, checkCompatibility, checkNames, checkPath } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'
import { createOrdersService, token } from '../support/orders-service.ts'
import type { RawResponse } from '../support/raw-client.ts'
import { createResourcesClient, type ResourceRequest } from '../support/resources-client.ts'

type Send = (target: string, request?: ResourceRequest) => Promise<RawResponse>

const known = { authorization: `Bearer ${token}` }
const json = (body: unknown, headers = {}) => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const order = { id: 'x', item: 'tea', quantity: 2, customer: 'c1' }
const tagOf = async (send: Send, target: string) => (await send(target)).headers['etag'] ?? ''
const statusOf = async (response: Promise<RawResponse>) => (await response).status
const document = ({ body }: RawResponse) => JSON.parse(body)

/** The rules of the specification's tables, each quoted and checked on a service with every archetype. */
const rules: Readonly<Record<string, Readonly<Record<string, (send: Send) => Promise<void>>>>> = {
  'Conventions for endpoints': {
    'GET returns a representation with no request body; repeatable': async (send) => {
      const first = await send('/api/orders/a', { body: 'ignored' })
      expect(first.status).toBe(200)
      expect(await send('/api/orders/a')).toEqual(first)
    },
    'GET must not be used to tunnel other methods': async (send) => {
      const headers = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' }
      await send('/api/orders/a?_method=DELETE', { headers })
      await send('/api/orders/a?_method=DELETE', { method: 'POST', headers })
      expect(await statusOf(send('/api/orders/a'))).toBe(200)
    },
    'HEAD returns the same headers as GET without a body': async (send) => {
      for (const target of ['/api/orders', '/api/orders/a', '/api/status', '/api/latest', '/api/none', '/api/broken']) {
        const [get, head] = [await send(target), await send(target, { method: 'HEAD' })]
        expect({ ...head, body: get.body, bytes: get.bytes }).toEqual(get)
        expect(head.body).toBe('')
      }
    },
    'PUT inserts into a store at a client-chosen URI': async (send) => {
      const response = await send('/api/settings/font', { method: 'PUT', ...json({ value: 'Inter' }, known) })
      expect([response.status, response.headers['location']]).toEqual([201, '/api/settings/font'])
      expect(document(await send('/api/settings/font'))).toEqual({ value: 'Inter' })
    },
    'PUT updates a mutable resource': async (send) => {
      expect(await statusOf(send('/api/orders/a', { method: 'PUT', ...json(order) }))).toBe(200)
      expect(document(await send('/api/orders/a'))).toMatchObject({ id: 'a', item: 'tea' })
    },
    'PUT in a store may be conditional on If-Match': async (send) => {
      const tag = await tagOf(send, '/api/settings/color')
      const put = (match: string) =>
        statusOf(
          send('/api/settings/color', { method: 'PUT', ...json({ value: 'red' }, { ...known, 'if-match': match }) }),
        )
      expect(await put('"other"')).toBe(412)
      expect(await put(tag)).toBe(200)
      expect(await put(tag)).toBe(412)
    },
    'PUT may be conditional on If-Unmodified-Since': async (send) => {
      const put = (since: string) =>
        statusOf(send('/api/orders/a', { method: 'PUT', ...json(order, { 'if-unmodified-since': since }) }))
      expect(await put('Wed, 31 Dec 2025 23:59:59 GMT')).toBe(412)
      expect(await put('Thu, 01 Jan 2026 00:00:00 GMT')).toBe(200)
    },
    'POST creates a resource in a collection': async (send) => {
      const response = await send('/api/orders', { method: 'POST', ...json(order) })
      expect([response.status, response.headers['location']]).toEqual([201, '/api/orders/n1'])
      expect(document(await send('/api/orders/n1'))).toMatchObject({ id: 'n1', item: 'tea' })
    },
    'POST runs a controller': async (send) => {
      expect(document(await send('/api/orders/count', { method: 'POST' }))).toEqual({ count: 5 })
    },
    'POST is not used to read, store or delete': async (send) => {
      for (const target of ['/api/orders/a', '/api/settings/color', '/api/settings', '/api/status']) {
        expect(await statusOf(send(target, { method: 'POST', ...json({}) }))).toBe(405)
      }
    },
    'DELETE removes a resource from its parent; afterwards GET and HEAD on it give 404': async (send) => {
      expect(await send('/api/orders/b', { method: 'DELETE' })).toMatchObject({ status: 204, body: '' })
      expect(await statusOf(send('/api/orders/b'))).toBe(404)
      expect(await send('/api/orders/b', { method: 'HEAD' })).toMatchObject({ status: 404, body: '' })
      expect(document(await send('/api/orders?pageSize=3')).map(({ id }: { id: string }) => id)).toEqual([
        'a',
        'c',
        'd',
      ])
      expect(await statusOf(send('/api/orders/b', { method: 'DELETE' }))).toBe(404)
    },
    'OPTIONS returns the allowed interactions in the Allow header': async (send) => {
      const allow = async (target: string) => (await send(target, { method: 'OPTIONS' })).headers['allow']
      expect(await allow('/api/orders')).toBe('GET, HEAD, POST, OPTIONS')
      expect(await allow('/api/orders/a')).toBe('GET, HEAD, PUT, DELETE, OPTIONS')
      expect(await allow('/api/orders/search')).toBe('POST, OPTIONS')
      expect(await allow('/api/settings')).toBe('GET, HEAD, DELETE, OPTIONS')
    },
    'Filtering: query parameters on a collection or store': async (send) => {
      expect(document(await send('/api/orders?least=5'))).toMatchObject([{ id: 'e' }])
      expect(document(await send('/api/orders?item=item%20b'))).toMatchObject([{ id: 'b' }])
      const refused = await send('/api/orders?least=many')
      expect(document(refused)).toMatchObject({ status: 400, errors: [{ path: 'least', message: expect.any(String) }] })
    },
    'Paging: pageSize and pageStartIndex': async (send) => {
      const response = await send('/api/orders?pageSize=2&pageStartIndex=2')
      expect(document(response)).toMatchObject([{ id: 'c' }, { id: 'd' }])
      expect(response.headers['x-total-count']).toBe('5')
      expect(response.headers['link']).toBe(
        [
          '</api/orders?pageSize=2&pageStartIndex=0>; rel="first"',
          '</api/orders?pageSize=2&pageStartIndex=0>; rel="prev"',
          '</api/orders?pageSize=2&pageStartIndex=4>; rel="next"',
          '</api/orders?pageSize=2&pageStartIndex=4>; rel="last"',
        ].join(', '),
      )
    },
    'A complex search uses a controller such as POST /<collection>/search with the criteria in the body': async (
      send,
    ) => {
      const search = json({ items: ['item a', 'item e'] })
      const response = await send('/api/orders/search?pageSize=1', { method: 'POST', ...search })
      expect(document(response)).toMatchObject([{ id: 'a' }])
      expect(response.headers['x-total-count']).toBe('2')
    },
    'Partial response: fields limits the fields returned': async (send) => {
      expect(document(await send('/api/orders/a?fields=id,links(self(href))'))).toEqual({
        id: 'a',
        links: { self: { href: '/api/orders/a' } },
      })
      expect(document(await send('/api/orders?fields=id'))).toEqual([{ id: 'a' }, { id: 'b' }])
      expect(await statusOf(send('/api/orders?fields=('))).toBe(400)
    },
    'Embedding linked resources is controlled by a query parameter': async (send) => {
      expect(document(await send('/api/orders/a?embed=customer')).customer).toEqual({ name: 'Éléonore' })
      expect(document(await send('/api/orders/a')).customer).toBe('c1')
      expect(document(await send('/api/orders/a?embed=secrets'))).toMatchObject({
        status: 400,
        errors: [{ path: 'embed', message: 'must be one or more of customer' }],
      })
    },
    'Media type selection: Accept, optionally a query parameter accept with the same value': async (send) => {
      const html = 'text/html; charset=utf-8'
      expect((await send('/api/orders/a', { headers: { accept: 'text/html' } })).headers['content-type']).toBe(html)
      const both = await send('/api/orders/a?accept=text/html', { headers: { accept: 'application/json' } })
      expect([both.headers['content-type'], both.headers['vary'], both.body]).toEqual([html, 'Accept', '<p>item a</p>'])
    },
    'Body: JSON without an extra wrapper envelope': async (send) => {
      expect(document(await send('/api/orders'))).toBeInstanceOf(Array)
      expect(document(await send('/api/settings/color'))).toEqual({ value: 'blue' })
    },
    'Body: dates and times are strings, numbers are JSON numbers': async (send) => {
      expect(document(await send('/api/status')).since).toBe('2026-01-01T00:00:00.000Z')
      expect(document(await send('/api/orders/a')).quantity).toBe(1)
    },
    'Body: names use lower-case or mixed case without special characters': async (send) => {
      const { properties } = document(await send('/api/schemas/order-2'))
      expect(checkNames({ type: 'object', properties })).toEqual([])
      expect(checkNames({ properties: { unit_price: {}, unitPrice: {} } }).map(({ name }) => name)).toEqual([
        'unit_price',
      ])
    },
    'Headers on GET 200: Content-Type, Content-Length, Last-Modified, ETag': async (send) => {
      const { headers, bytes } = await send('/api/orders/a')
      expect(headers).toMatchObject({
        'content-type': 'application/json; version=2',
        'content-length': String(bytes.byteLength),
        'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
        etag: expect.stringMatching(/^"[\w-]+"$/),
      })
    },
    'Caching: Cache-Control with max-age in seconds, Expires, Date': async (send) => {
      const { headers } = await send('/api/status')
      expect(headers['cache-control']).toBe('max-age=60')
      expect(Date.parse(headers['expires'] ?? '') - Date.parse(headers['date'] ?? '')).toBe(60_000)
    },
    'To forbid caching: no-cache or no-store, plus Pragma: no-cache and Expires: 0': async (send) => {
      const forbidden = { pragma: 'no-cache', expires: '0' }
      expect((await send('/api/orders/a')).headers).toMatchObject({ 'cache-control': 'no-cache', ...forbidden })
      const secret = await send('/api/secret', { headers: known })
      expect(secret.headers).toMatchObject({ 'cache-control': 'no-store', ...forbidden })
      expect(secret.headers).not.toHaveProperty('etag')
    },
    'Location is set on creation, and on 202 to point to operation status': async (send) => {
      const done = await send('/api/orders/repeat', { method: 'POST' })
      expect([done.status, done.headers['location']]).toEqual([201, '/api/orders/a'])
      const begun = await send('/api/orders/a/cancel', { method: 'POST', ...json({ reason: 'later' }) })
      expect([begun.status, begun.headers['location'], begun.body]).toEqual([202, '/api/orders/a/cancellation', ''])
      expect(document(await send('/api/orders/a/cancellation', { headers: known }))).toEqual({ state: 'running' })
    },
    'Custom headers are informational only': async (send) => {
      expect((await send('/api/status')).headers['x-region']).toBe('eu')
      const override = { 'x-http-method-override': 'DELETE' }
      expect(await statusOf(send('/api/orders', { method: 'POST', ...json(order, override) }))).toBe(201)
      expect(await statusOf(send('/api/orders'))).toBe(200)
    },
    'Hypermedia: links carry a relation name; its document has method and requestTypes': async (send) => {
      const { links } = document(await send('/api/orders/a'))
      expect(links.cancel).toEqual({ rel: '/api/relations/cancel', href: '/api/orders/a/cancel' })
      expect(document(await send(links.cancel.rel))).toEqual({
        name: 'cancel',
        description: 'Cancels an order.',
        method: 'POST',
        requestTypes: ['application/json'],
      })
      expect(document(await send(links.self.rel))).toMatchObject({ method: 'GET', requestTypes: [] })
      expect(await statusOf(send('/api/relations/nothing'))).toBe(404)
    },
  },
  Errors: {
    '200: general success; carries a body': async (send) => {
      const response = await send('/api/orders/a')
      expect(response.status).toBe(200)
      expect(response.body).not.toBe('')
    },
    '201: a resource was created in a collection or store, or by a controller': async (send) => {
      expect(await statusOf(send('/api/orders', { method: 'POST', ...json(order) }))).toBe(201)
      expect(await statusOf(send('/api/settings/size', { method: 'PUT', ...json({ value: '9' }, known) }))).toBe(201)
      expect(await statusOf(send('/api/orders/repeat', { method: 'POST' }))).toBe(201)
    },
    '202: asynchronous processing was started; only controllers send it': async (send) => {
      expect(await statusOf(send('/api/orders/a/cancel', { method: 'POST', ...json({ reason: 'later' }) }))).toBe(202)
      expect(await statusOf(send('/api/hasty'))).toBe(500)
    },
    '204: success without a body (often for PUT, POST, DELETE)': async (send) => {
      const nothing = { status: 204, body: '' }
      expect(await send('/api/orders/a/cancel', { method: 'POST', ...json({ reason: 'now' }) })).toMatchObject(nothing)
      expect(await send('/api/orders/a', { method: 'DELETE' })).toMatchObject(nothing)
      const insert = await send('/api/drafts/d', { method: 'PUT', ...json({}, { 'if-none-match': '*' }) })
      expect(insert).toMatchObject({ status: 201, body: '' })
      const update = await send('/api/drafts/d', { method: 'PUT', ...json({}, { 'if-match': '*' }) })
      expect(update).toMatchObject(nothing)
    },
    '301: resource moved; the new URI is in Location': async (send) => {
      const response = await send('/api/orders/moved')
      expect([response.status, response.headers['location']]).toEqual([301, '/api/orders/a'])
    },
    '302: not to be used': async () => {
      const helpers = await import('upkeep/rest')
      expect(
        [helpers.movedPermanently('a'), helpers.seeOther('a'), helpers.temporaryRedirect('a')].map(
          ({ status }) => status,
        ),
      ).toEqual([301, 303, 307])
    },
    '303: refer to another URI in Location': async (send) => {
      const response = await send('/api/latest')
      expect([response.status, response.headers['location']]).toEqual([303, '/api/orders/e'])
    },
    '304: the client already has the current version. No body.': async (send) => {
      const first = await send('/api/orders')
      const again = await send('/api/orders', { headers: { 'if-none-match': first.headers['etag'] } })
      expect(again).toMatchObject({ status: 304, body: '' })
      expect(again.headers).toMatchObject({
        etag: first.headers['etag'],
        link: first.headers['link'],
        'x-total-count': '5',
      })
    },
    '307: repeat the request at the URI in Location': async (send) => {
      const response = await send('/api/mirror')
      expect([response.status, response.headers['location']]).toEqual([307, 'https://mirror.example/'])
    },
    '400: general client error when no more specific 4xx fits': async (send) => {
      expect(await statusOf(send('/api/orders?pageSize=0'))).toBe(400)
      const refused = await send('/api/orders', { method: 'POST', ...json({ ...order, quantity: 0 }) })
      expect(document(refused)).toMatchObject({
        status: 400,
        detail: 'Invalid body.',
        errors: [{ path: '/quantity', message: expect.any(String) }],
      })
    },
    '401: missing or wrong client authentication': async (send) => {
      const response = await send('/api/secret')
      expect([response.status, response.headers['www-authenticate']]).toEqual([401, 'Bearer realm="management"'])
      expect(await statusOf(send('/api/settings/color', { method: 'DELETE' }))).toBe(401)
      expect(await statusOf(send('/api/settings/color'))).toBe(200)
    },
    '403: access forbidden regardless of authentication': async () => {
      const send = createResourcesClient(createOrdersService({ authorize: undefined }).resources)
      expect(await statusOf(send('/api/secret', { headers: known }))).toBe(403)
    },
    '404: no resource at the request URI': async (send) => {
      for (const target of [
        '/api/none',
        '/api/orders/none',
        '/api/orders/',
        '/api/orders/a/none',
        '/api/schemas/none-1',
      ]) {
        expect(await statusOf(send(target))).toBe(404)
      }
      expect(await statusOf(send('/api/orders/none', { method: 'PUT', ...json(order) }))).toBe(404)
    },
    '405: method not supported; must include an Allow header': async (send) => {
      const response = await send('/api/orders', { method: 'DELETE' })
      expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
      expect(await statusOf(send('/api/orders/a', { method: 'PATCH' }))).toBe(405)
    },
    '406: no representation matches the Accept header': async (send) => {
      expect(await statusOf(send('/api/orders/a', { headers: { accept: 'image/png' } }))).toBe(406)
      expect(await statusOf(send('/api/orders', { headers: { accept: 'text/html' } }))).toBe(406)
    },
    '409: an insert at an occupied store URI without a precondition': async (send) => {
      const response = await send('/api/settings/color', { method: 'PUT', ...json({ value: 'red' }, known) })
      expect(response.status).toBe(409)
      expect(document(await send('/api/settings/color'))).toEqual({ value: 'blue' })
    },
    '409: deleting a non-empty store': async (send) => {
      const drop = () => statusOf(send('/api/settings', { method: 'DELETE', headers: known }))
      expect(await drop()).toBe(409)
      await send('/api/settings/color', { method: 'DELETE', headers: known })
      expect(await drop()).toBe(204)
    },
    '409: the request would leave the resource in a conflicting state': async (send) => {
      const response = await send('/api/orders/shipped/cancel', { method: 'POST', ...json({ reason: 'now' }) })
      expect(document(response)).toMatchObject({ status: 409, detail: 'It is shipped.', shippedAt: '2026-01-01' })
    },
    '412: a precondition header was not met': async (send) => {
      for (const [method, target, headers] of [
        ['DELETE', '/api/orders/a', { 'if-match': '"other"' }],
        ['PUT', '/api/orders/a', { 'if-none-match': '*' }],
        ['GET', '/api/orders/a', { 'if-match': '"other"' }],
        ['PUT', '/api/settings/none', { 'if-match': '*', ...known }],
      ] as const) {
        expect(await statusOf(send(target, { method, ...json(order, headers) }))).toBe(412)
      }
      expect(await statusOf(send('/api/orders/a'))).toBe(200)
    },
    '415: the Content-Type of the request is not supported': async (send) => {
      for (const type of ['text/plain', 'application/json; charset=latin1', 'application/json; version=9', undefined]) {
        const response = await send('/api/orders', { method: 'POST', headers: { 'content-type': type }, body: '{}' })
        expect([response.status, response.headers['accept']]).toEqual([
          415,
          'application/json; version=2, application/json; version=1',
        ])
      }
      const coded = await send('/api/orders', { method: 'POST', ...json(order, { 'content-encoding': 'gzip' }) })
      expect([coded.status, coded.headers['accept-encoding']]).toEqual([415, 'identity'])
    },
    '500: the API failed, and says nothing of how': async (send) => {
      const response = await send('/api/broken')
      expect(document(response)).toEqual({
        type: 'about:blank',
        title: 'Internal Server Error',
        status: 500,
        instance: '/api/broken',
      })
    },
    '503: told with what goes with it': async (send) => {
      const response = await send('/api/teapot')
      expect([response.status, response.headers['retry-after']]).toEqual([503, '9'])
    },
    'Error responses carry a consistent error document, except for HEAD': async (send) => {
      const traceId = '0af7651916cd43dd8448eb211c80319c'
      const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'x-request-id': 'r-7' }
      const failures = ['/api/none', '/api/broken', '/api/orders?pageSize=x', '/api/secret', '/api/orders/a?accept=a/b']
      for (const target of failures) {
        const response = await send(target, { headers })
        expect(response.headers['content-type']).toBe('application/problem+json')
        expect(document(response)).toMatchObject({ status: response.status, trace_id: traceId, request_id: 'r-7' })
        expect(await send(target, { method: 'HEAD', headers })).toMatchObject({ status: response.status, body: '' })
      }
    },
  },
  'Path conventions': {
    'archetypes: singular document, plural collection and store, verb controller': async () => {
      const broken = (path: string, archetype: 'document' | 'collection' | 'store' | 'controller') =>
        checkPath(path, { archetype }).map(({ rule }) => rule)
      expect(broken('/orders/{order}/invoices', 'document')).toEqual(['singular'])
      expect(broken('/order', 'collection')).toEqual(['plural'])
      expect(broken('/setting', 'store')).toEqual(['plural'])
      expect(broken('/orders/{order}/cancellation', 'controller')).toEqual(['verb'])
      expect(broken('/orders/{order}/cancel', 'controller')).toEqual([])
    },
    'no trailing slash, no underscore, no file extension, lower-case letters and hyphens': async () => {
      expect(checkPath('/Order-Lines/price_list.json/').map(({ rule }) => rule)).toEqual([
        'trailing-slash',
        'upper-case',
        'underscore',
        'file-extension',
      ])
    },
    'no CRUD verbs in paths': async () => {
      expect(checkPath('/orders/get-all').map(({ rule }) => rule)).toEqual(['crud-verb'])
    },
    'a variable path part is a unique value': async () => {
      expect(checkPath('/orders/{id}/lines/{id}').map(({ rule }) => rule)).toEqual(['repeated-variable'])
    },
    'the API domain carries the api subdomain and the developer portal a developer subdomain': async () => {
      expect(checkBaseUrl('https://api.example.com')).toEqual([])
      expect(checkBaseUrl('https://www.example.com').map(({ rule }) => rule)).toEqual(['subdomain'])
      expect(checkBaseUrl('https://developer.example.com', { serves: 'developer' })).toEqual([])
    },
  },
  Versioning: {
    'the URI does not carry a version': async () => {
      expect(checkPath('/v1/orders').map(({ rule }) => rule)).toEqual(['version'])
    },
    'the shape is versioned by a schema document, selected through media type negotiation': async (send) => {
      const older = await send('/api/orders/a', { headers: { accept: 'application/json; version=1' } })
      expect(older.headers['content-type']).toBe('application/json; version=1')
      expect(document(older)).toMatchObject({ id: 'a', amount: 1 })
      expect(document(await send('/api/orders/a'))).toMatchObject({ id: 'a', quantity: 1 })
      expect(await statusOf(send('/api/orders/a', { headers: { accept: 'application/json; version=9' } }))).toBe(406)
      const sent = json({ id: '', item: 'old', amount: 3 }, { 'content-type': 'application/json; version=1' })
      expect(document(await send('/api/orders', { method: 'POST', ...sent }))).toMatchObject({ quantity: 3 })
      const schema = await send('/api/schemas/order-1')
      expect(schema.headers['content-type']).toBe('application/schema+json')
      expect(Object.keys(document(schema).properties)).toEqual(['id', 'item', 'amount'])
    },
    'adding fields or links in a new schema version is backward compatible': async (send) => {
      const newest = document(await send('/api/schemas/order-2'))
      const added = { ...newest, properties: { ...newest.properties, note: { type: 'string' } } }
      expect(checkCompatibility(newest, added)).toEqual([])
      expect(checkCompatibility(document(await send('/api/schemas/order-1')), newest)).not.toEqual([])
    },
    'an entity tag is the smallest unit of versioning for one representation': async (send) => {
      const before = await tagOf(send, '/api/orders/a')
      expect(await tagOf(send, '/api/orders/a?accept=text/html')).not.toBe(before)
      await send('/api/orders/a', { method: 'PUT', ...json(order, { 'if-match': before }) })
      expect(await tagOf(send, '/api/orders/a')).not.toBe(before)
    },
  },
}

describe.each(Object.entries(rules))('%s', (_table, each) => {
  it.each(Object.entries(each))('%s', (_rule, holds) => holds(createResourcesClient(createOrdersService().resources)))
})
