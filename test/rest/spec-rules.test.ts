import { checkBaseUrl, checkCompatibility, checkNames, checkPath } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'
import { createOrdersService, token } from '../support/orders-service.ts'
import type { Answer } from '../support/raw-client.ts'
import { askResources, type ResourceRequest } from '../support/resources-client.ts'

type Ask = (target: string, request?: ResourceRequest) => Promise<Answer>

const known = { authorization: `Bearer ${token}` }
const json = (body: unknown, headers = {}) => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const order = { id: 'x', item: 'tea', quantity: 2, customer: 'c1' }
const tagOf = async (ask: Ask, target: string) => (await ask(target)).headers['etag'] ?? ''
const statusOf = async (answer: Promise<Answer>) => (await answer).status
const document = ({ body }: Answer) => JSON.parse(body)

/** The rules of the specification's tables, each quoted and checked on a service with every archetype. */
const rules: Readonly<Record<string, Readonly<Record<string, (ask: Ask) => Promise<void>>>>> = {
  'Conventions for endpoints': {
    'GET returns a representation with no request body; repeatable': async (ask) => {
      const first = await ask('/api/orders/a', { body: 'ignored' })
      expect(first.status).toBe(200)
      expect(await ask('/api/orders/a')).toEqual(first)
    },
    'GET must not be used to tunnel other methods': async (ask) => {
      const headers = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' }
      await ask('/api/orders/a?_method=DELETE', { headers })
      await ask('/api/orders/a?_method=DELETE', { method: 'POST', headers })
      expect(await statusOf(ask('/api/orders/a'))).toBe(200)
    },
    'HEAD returns the same headers as GET without a body': async (ask) => {
      for (const target of ['/api/orders', '/api/orders/a', '/api/status', '/api/latest', '/api/none', '/api/broken']) {
        const [get, head] = [await ask(target), await ask(target, { method: 'HEAD' })]
        expect({ ...head, body: get.body, bytes: get.bytes }).toEqual(get)
        expect(head.body).toBe('')
      }
    },
    'PUT inserts into a store at a client-chosen URI': async (ask) => {
      const answer = await ask('/api/settings/font', { method: 'PUT', ...json({ value: 'Inter' }, known) })
      expect([answer.status, answer.headers['location']]).toEqual([201, '/api/settings/font'])
      expect(document(await ask('/api/settings/font'))).toEqual({ value: 'Inter' })
    },
    'PUT updates a mutable resource': async (ask) => {
      expect(await statusOf(ask('/api/orders/a', { method: 'PUT', ...json(order) }))).toBe(200)
      expect(document(await ask('/api/orders/a'))).toMatchObject({ id: 'a', item: 'tea' })
    },
    'PUT in a store may be conditional on If-Match': async (ask) => {
      const tag = await tagOf(ask, '/api/settings/color')
      const put = (match: string) =>
        statusOf(
          ask('/api/settings/color', { method: 'PUT', ...json({ value: 'red' }, { ...known, 'if-match': match }) }),
        )
      expect(await put('"other"')).toBe(412)
      expect(await put(tag)).toBe(200)
      expect(await put(tag)).toBe(412)
    },
    'PUT may be conditional on If-Unmodified-Since': async (ask) => {
      const put = (since: string) =>
        statusOf(ask('/api/orders/a', { method: 'PUT', ...json(order, { 'if-unmodified-since': since }) }))
      expect(await put('Wed, 31 Dec 2025 23:59:59 GMT')).toBe(412)
      expect(await put('Thu, 01 Jan 2026 00:00:00 GMT')).toBe(200)
    },
    'POST creates a resource in a collection': async (ask) => {
      const answer = await ask('/api/orders', { method: 'POST', ...json(order) })
      expect([answer.status, answer.headers['location']]).toEqual([201, '/api/orders/n1'])
      expect(document(await ask('/api/orders/n1'))).toMatchObject({ id: 'n1', item: 'tea' })
    },
    'POST runs a controller': async (ask) => {
      expect(document(await ask('/api/orders/count', { method: 'POST' }))).toEqual({ count: 5 })
    },
    'POST is not used to read, store or delete': async (ask) => {
      for (const target of ['/api/orders/a', '/api/settings/color', '/api/settings', '/api/status']) {
        expect(await statusOf(ask(target, { method: 'POST', ...json({}) }))).toBe(405)
      }
    },
    'DELETE removes a resource from its parent; afterwards GET and HEAD on it give 404': async (ask) => {
      expect(await ask('/api/orders/b', { method: 'DELETE' })).toMatchObject({ status: 204, body: '' })
      expect(await statusOf(ask('/api/orders/b'))).toBe(404)
      expect(await ask('/api/orders/b', { method: 'HEAD' })).toMatchObject({ status: 404, body: '' })
      expect(document(await ask('/api/orders?pageSize=3')).map(({ id }: { id: string }) => id)).toEqual(['a', 'c', 'd'])
      expect(await statusOf(ask('/api/orders/b', { method: 'DELETE' }))).toBe(404)
    },
    'OPTIONS returns the allowed interactions in the Allow header': async (ask) => {
      const allow = async (target: string) => (await ask(target, { method: 'OPTIONS' })).headers['allow']
      expect(await allow('/api/orders')).toBe('GET, HEAD, POST, OPTIONS')
      expect(await allow('/api/orders/a')).toBe('GET, HEAD, PUT, DELETE, OPTIONS')
      expect(await allow('/api/orders/search')).toBe('POST, OPTIONS')
      expect(await allow('/api/settings')).toBe('GET, HEAD, DELETE, OPTIONS')
    },
    'Filtering: query parameters on a collection or store': async (ask) => {
      expect(document(await ask('/api/orders?least=5'))).toMatchObject([{ id: 'e' }])
      expect(document(await ask('/api/orders?item=item%20b'))).toMatchObject([{ id: 'b' }])
      const refused = await ask('/api/orders?least=many')
      expect(document(refused)).toMatchObject({ status: 400, errors: [{ path: 'least', message: expect.any(String) }] })
    },
    'Paging: pageSize and pageStartIndex': async (ask) => {
      const answer = await ask('/api/orders?pageSize=2&pageStartIndex=2')
      expect(document(answer)).toMatchObject([{ id: 'c' }, { id: 'd' }])
      expect(answer.headers['x-total-count']).toBe('5')
      expect(answer.headers['link']).toBe(
        [
          '</api/orders?pageSize=2&pageStartIndex=0>; rel="first"',
          '</api/orders?pageSize=2&pageStartIndex=0>; rel="prev"',
          '</api/orders?pageSize=2&pageStartIndex=4>; rel="next"',
          '</api/orders?pageSize=2&pageStartIndex=4>; rel="last"',
        ].join(', '),
      )
    },
    'A complex search uses a controller such as POST /<collection>/search with the criteria in the body': async (
      ask,
    ) => {
      const search = json({ items: ['item a', 'item e'] })
      const answer = await ask('/api/orders/search?pageSize=1', { method: 'POST', ...search })
      expect(document(answer)).toMatchObject([{ id: 'a' }])
      expect(answer.headers['x-total-count']).toBe('2')
    },
    'Partial response: fields limits the fields returned': async (ask) => {
      expect(document(await ask('/api/orders/a?fields=id,links(self(href))'))).toEqual({
        id: 'a',
        links: { self: { href: '/api/orders/a' } },
      })
      expect(document(await ask('/api/orders?fields=id'))).toEqual([{ id: 'a' }, { id: 'b' }])
      expect(await statusOf(ask('/api/orders?fields=('))).toBe(400)
    },
    'Embedding linked resources is controlled by a query parameter': async (ask) => {
      expect(document(await ask('/api/orders/a?embed=customer')).customer).toEqual({ name: 'Éléonore' })
      expect(document(await ask('/api/orders/a')).customer).toBe('c1')
      expect(document(await ask('/api/orders/a?embed=secrets'))).toMatchObject({
        status: 400,
        errors: [{ path: 'embed', message: 'must be one or more of customer' }],
      })
    },
    'Media type selection: Accept, optionally a query parameter accept with the same value': async (ask) => {
      const html = 'text/html; charset=utf-8'
      expect((await ask('/api/orders/a', { headers: { accept: 'text/html' } })).headers['content-type']).toBe(html)
      const both = await ask('/api/orders/a?accept=text/html', { headers: { accept: 'application/json' } })
      expect([both.headers['content-type'], both.headers['vary'], both.body]).toEqual([html, 'Accept', '<p>item a</p>'])
    },
    'Body: JSON without an extra wrapper envelope': async (ask) => {
      expect(document(await ask('/api/orders'))).toBeInstanceOf(Array)
      expect(document(await ask('/api/settings/color'))).toEqual({ value: 'blue' })
    },
    'Body: dates and times are strings, numbers are JSON numbers': async (ask) => {
      expect(document(await ask('/api/status')).since).toBe('2026-01-01T00:00:00.000Z')
      expect(document(await ask('/api/orders/a')).quantity).toBe(1)
    },
    'Body: names use lower-case or mixed case without special characters': async (ask) => {
      const { properties } = document(await ask('/api/schemas/order-2'))
      expect(checkNames({ type: 'object', properties })).toEqual([])
      expect(checkNames({ properties: { unit_price: {}, unitPrice: {} } }).map(({ name }) => name)).toEqual([
        'unit_price',
      ])
    },
    'Headers on GET 200: Content-Type, Content-Length, Last-Modified, ETag': async (ask) => {
      const { headers, bytes } = await ask('/api/orders/a')
      expect(headers).toMatchObject({
        'content-type': 'application/json; version=2',
        'content-length': String(bytes.byteLength),
        'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
        etag: expect.stringMatching(/^"[\w-]+"$/),
      })
    },
    'Caching: Cache-Control with max-age in seconds, Expires, Date': async (ask) => {
      const { headers } = await ask('/api/status')
      expect(headers['cache-control']).toBe('max-age=60')
      expect(Date.parse(headers['expires'] ?? '') - Date.parse(headers['date'] ?? '')).toBe(60_000)
    },
    'To forbid caching: no-cache or no-store, plus Pragma: no-cache and Expires: 0': async (ask) => {
      const forbidden = { pragma: 'no-cache', expires: '0' }
      expect((await ask('/api/orders/a')).headers).toMatchObject({ 'cache-control': 'no-cache', ...forbidden })
      const secret = await ask('/api/secret', { headers: known })
      expect(secret.headers).toMatchObject({ 'cache-control': 'no-store', ...forbidden })
      expect(secret.headers).not.toHaveProperty('etag')
    },
    'Location is set on creation, and on 202 to point to operation status': async (ask) => {
      const done = await ask('/api/orders/repeat', { method: 'POST' })
      expect([done.status, done.headers['location']]).toEqual([201, '/api/orders/a'])
      const begun = await ask('/api/orders/a/cancel', { method: 'POST', ...json({ reason: 'later' }) })
      expect([begun.status, begun.headers['location'], begun.body]).toEqual([202, '/api/orders/a/cancellation', ''])
      expect(document(await ask('/api/orders/a/cancellation', { headers: known }))).toEqual({ state: 'running' })
    },
    'Custom headers are informational only': async (ask) => {
      expect((await ask('/api/status')).headers['x-region']).toBe('eu')
      const override = { 'x-http-method-override': 'DELETE' }
      expect(await statusOf(ask('/api/orders', { method: 'POST', ...json(order, override) }))).toBe(201)
      expect(await statusOf(ask('/api/orders'))).toBe(200)
    },
    'Hypermedia: links carry a relation name; its document has method and requestTypes': async (ask) => {
      const { links } = document(await ask('/api/orders/a'))
      expect(links.cancel).toEqual({ rel: '/api/relations/cancel', href: '/api/orders/a/cancel' })
      expect(document(await ask(links.cancel.rel))).toEqual({
        name: 'cancel',
        description: 'Cancels an order.',
        method: 'POST',
        requestTypes: ['application/json'],
      })
      expect(document(await ask(links.self.rel))).toMatchObject({ method: 'GET', requestTypes: [] })
      expect(await statusOf(ask('/api/relations/nothing'))).toBe(404)
    },
  },
  Errors: {
    '200: general success; carries a body': async (ask) => {
      const answer = await ask('/api/orders/a')
      expect(answer.status).toBe(200)
      expect(answer.body).not.toBe('')
    },
    '201: a resource was created in a collection or store, or by a controller': async (ask) => {
      expect(await statusOf(ask('/api/orders', { method: 'POST', ...json(order) }))).toBe(201)
      expect(await statusOf(ask('/api/settings/size', { method: 'PUT', ...json({ value: '9' }, known) }))).toBe(201)
      expect(await statusOf(ask('/api/orders/repeat', { method: 'POST' }))).toBe(201)
    },
    '202: asynchronous processing was started; only controllers send it': async (ask) => {
      expect(await statusOf(ask('/api/orders/a/cancel', { method: 'POST', ...json({ reason: 'later' }) }))).toBe(202)
      expect(await statusOf(ask('/api/hasty'))).toBe(500)
    },
    '204: success without a body (often for PUT, POST, DELETE)': async (ask) => {
      const nothing = { status: 204, body: '' }
      expect(await ask('/api/orders/a/cancel', { method: 'POST', ...json({ reason: 'now' }) })).toMatchObject(nothing)
      expect(await ask('/api/orders/a', { method: 'DELETE' })).toMatchObject(nothing)
      const insert = await ask('/api/drafts/d', { method: 'PUT', ...json({}, { 'if-none-match': '*' }) })
      expect(insert).toMatchObject({ status: 201, body: '' })
      const update = await ask('/api/drafts/d', { method: 'PUT', ...json({}, { 'if-match': '*' }) })
      expect(update).toMatchObject(nothing)
    },
    '301: resource moved; the new URI is in Location': async (ask) => {
      const answer = await ask('/api/orders/moved')
      expect([answer.status, answer.headers['location']]).toEqual([301, '/api/orders/a'])
    },
    '302: not to be used': async () => {
      const helpers = await import('upkeep/rest')
      expect(
        [helpers.movedPermanently('a'), helpers.seeOther('a'), helpers.temporaryRedirect('a')].map(
          ({ status }) => status,
        ),
      ).toEqual([301, 303, 307])
    },
    '303: refer to another URI in Location': async (ask) => {
      const answer = await ask('/api/latest')
      expect([answer.status, answer.headers['location']]).toEqual([303, '/api/orders/e'])
    },
    '304: the client already has the current version. No body.': async (ask) => {
      const first = await ask('/api/orders')
      const again = await ask('/api/orders', { headers: { 'if-none-match': first.headers['etag'] } })
      expect(again).toMatchObject({ status: 304, body: '' })
      expect(again.headers).toMatchObject({
        etag: first.headers['etag'],
        link: first.headers['link'],
        'x-total-count': '5',
      })
    },
    '307: repeat the request at the URI in Location': async (ask) => {
      const answer = await ask('/api/mirror')
      expect([answer.status, answer.headers['location']]).toEqual([307, 'https://mirror.example/'])
    },
    '400: general client error when no more specific 4xx fits': async (ask) => {
      expect(await statusOf(ask('/api/orders?pageSize=0'))).toBe(400)
      const refused = await ask('/api/orders', { method: 'POST', ...json({ ...order, quantity: 0 }) })
      expect(document(refused)).toMatchObject({
        status: 400,
        detail: 'Invalid body.',
        errors: [{ path: '/quantity', message: expect.any(String) }],
      })
    },
    '401: missing or wrong client authentication': async (ask) => {
      const answer = await ask('/api/secret')
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer realm="management"'])
      expect(await statusOf(ask('/api/settings/color', { method: 'DELETE' }))).toBe(401)
      expect(await statusOf(ask('/api/settings/color'))).toBe(200)
    },
    '403: access forbidden regardless of authentication': async () => {
      const ask = askResources(createOrdersService({ authorize: undefined }).resources)
      expect(await statusOf(ask('/api/secret', { headers: known }))).toBe(403)
    },
    '404: no resource at the request URI': async (ask) => {
      for (const target of [
        '/api/none',
        '/api/orders/none',
        '/api/orders/',
        '/api/orders/a/none',
        '/api/schemas/none-1',
      ]) {
        expect(await statusOf(ask(target))).toBe(404)
      }
      expect(await statusOf(ask('/api/orders/none', { method: 'PUT', ...json(order) }))).toBe(404)
    },
    '405: method not supported; must include an Allow header': async (ask) => {
      const answer = await ask('/api/orders', { method: 'DELETE' })
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
      expect(await statusOf(ask('/api/orders/a', { method: 'PATCH' }))).toBe(405)
    },
    '406: no representation matches the Accept header': async (ask) => {
      expect(await statusOf(ask('/api/orders/a', { headers: { accept: 'image/png' } }))).toBe(406)
      expect(await statusOf(ask('/api/orders', { headers: { accept: 'text/html' } }))).toBe(406)
    },
    '409: an insert at an occupied store URI without a precondition': async (ask) => {
      const answer = await ask('/api/settings/color', { method: 'PUT', ...json({ value: 'red' }, known) })
      expect(answer.status).toBe(409)
      expect(document(await ask('/api/settings/color'))).toEqual({ value: 'blue' })
    },
    '409: deleting a non-empty store': async (ask) => {
      const drop = () => statusOf(ask('/api/settings', { method: 'DELETE', headers: known }))
      expect(await drop()).toBe(409)
      await ask('/api/settings/color', { method: 'DELETE', headers: known })
      expect(await drop()).toBe(204)
    },
    '409: the request would leave the resource in a conflicting state': async (ask) => {
      const answer = await ask('/api/orders/shipped/cancel', { method: 'POST', ...json({ reason: 'now' }) })
      expect(document(answer)).toMatchObject({ status: 409, detail: 'It is shipped.', shippedAt: '2026-01-01' })
    },
    '412: a precondition header was not met': async (ask) => {
      for (const [method, target, headers] of [
        ['DELETE', '/api/orders/a', { 'if-match': '"other"' }],
        ['PUT', '/api/orders/a', { 'if-none-match': '*' }],
        ['GET', '/api/orders/a', { 'if-match': '"other"' }],
        ['PUT', '/api/settings/none', { 'if-match': '*', ...known }],
      ] as const) {
        expect(await statusOf(ask(target, { method, ...json(order, headers) }))).toBe(412)
      }
      expect(await statusOf(ask('/api/orders/a'))).toBe(200)
    },
    '415: the Content-Type of the request is not supported': async (ask) => {
      for (const type of ['text/plain', 'application/json; charset=latin1', 'application/json; version=9', undefined]) {
        const answer = await ask('/api/orders', { method: 'POST', headers: { 'content-type': type }, body: '{}' })
        expect([answer.status, answer.headers['accept']]).toEqual([
          415,
          'application/json; version=2, application/json; version=1',
        ])
      }
      const coded = await ask('/api/orders', { method: 'POST', ...json(order, { 'content-encoding': 'gzip' }) })
      expect([coded.status, coded.headers['accept-encoding']]).toEqual([415, 'identity'])
    },
    '500: the API failed, and says nothing of how': async (ask) => {
      const answer = await ask('/api/broken')
      expect(document(answer)).toEqual({
        type: 'about:blank',
        title: 'Internal Server Error',
        status: 500,
        instance: '/api/broken',
      })
    },
    '503: told with what goes with it': async (ask) => {
      const answer = await ask('/api/teapot')
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '9'])
    },
    'Error responses carry a consistent error document, except for HEAD': async (ask) => {
      const traceId = '0af7651916cd43dd8448eb211c80319c'
      const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'x-request-id': 'r-7' }
      const failures = ['/api/none', '/api/broken', '/api/orders?pageSize=x', '/api/secret', '/api/orders/a?accept=a/b']
      for (const target of failures) {
        const answer = await ask(target, { headers })
        expect(answer.headers['content-type']).toBe('application/problem+json')
        expect(document(answer)).toMatchObject({ status: answer.status, trace_id: traceId, request_id: 'r-7' })
        expect(await ask(target, { method: 'HEAD', headers })).toMatchObject({ status: answer.status, body: '' })
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
    'the shape is versioned by a schema document, selected through media type negotiation': async (ask) => {
      const older = await ask('/api/orders/a', { headers: { accept: 'application/json; version=1' } })
      expect(older.headers['content-type']).toBe('application/json; version=1')
      expect(document(older)).toMatchObject({ id: 'a', amount: 1 })
      expect(document(await ask('/api/orders/a'))).toMatchObject({ id: 'a', quantity: 1 })
      expect(await statusOf(ask('/api/orders/a', { headers: { accept: 'application/json; version=9' } }))).toBe(406)
      const sent = json({ id: '', item: 'old', amount: 3 }, { 'content-type': 'application/json; version=1' })
      expect(document(await ask('/api/orders', { method: 'POST', ...sent }))).toMatchObject({ quantity: 3 })
      const schema = await ask('/api/schemas/order-1')
      expect(schema.headers['content-type']).toBe('application/schema+json')
      expect(Object.keys(document(schema).properties)).toEqual(['id', 'item', 'amount'])
    },
    'adding fields or links in a new schema version is backward compatible': async (ask) => {
      const newest = document(await ask('/api/schemas/order-2'))
      const added = { ...newest, properties: { ...newest.properties, note: { type: 'string' } } }
      expect(checkCompatibility(newest, added)).toEqual([])
      expect(checkCompatibility(document(await ask('/api/schemas/order-1')), newest)).not.toEqual([])
    },
    'an entity tag is the smallest unit of versioning for one representation': async (ask) => {
      const before = await tagOf(ask, '/api/orders/a')
      expect(await tagOf(ask, '/api/orders/a?accept=text/html')).not.toBe(before)
      await ask('/api/orders/a', { method: 'PUT', ...json(order, { 'if-match': before }) })
      expect(await tagOf(ask, '/api/orders/a')).not.toBe(before)
    },
  },
}

describe.each(Object.entries(rules))('%s', (_table, each) => {
  it.each(Object.entries(each))('%s', (_rule, holds) => holds(askResources(createOrdersService().resources)))
})
