import { describe, expect, it } from 'vitest'
import { pathOf } from '../../src/http/conventions/target.ts'
import { entityTagOf, formatEntityTag } from '../../src/http/fields/entity-tag.ts'
import { problem, send, tag, text } from '../support/note-resources.ts'
import { textOf } from '../support/read-content.ts'

describe('a GET', () => {
  it('responds with a representation and its metadata', async () => {
    expect(await send('/note')).toEqual({
      status: 200,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': String(text.length + 1),
        'Cache-Control': 'max-age=60',
        Date: 'Fri, 02 Jan 2026 03:04:05 GMT',
        Expires: 'Fri, 02 Jan 2026 03:05:05 GMT',
        ETag: tag,
        'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
        Vary: 'Accept',
      },
      body: text,
      reported: [],
    })
  })

  it('has no validators for content that must not be stored', async () => {
    expect((await send('/uncached')).headers).toEqual({
      'Content-Type': 'application/json',
      'Content-Length': String(text.length + 1),
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
      Expires: '0',
      Vary: 'Accept',
    })
  })

  it('has a validator and its own header fields for content that must be revalidated', async () => {
    expect((await send('/checked')).headers).toEqual({
      'Content-Type': 'application/json',
      'Content-Length': String(text.length + 1),
      'Cache-Control': 'no-cache',
      Pragma: 'no-cache',
      Expires: '0',
      ETag: tag,
      Vary: 'Accept',
      Link: '</note>; rel=up',
      'Content-Location': '/note',
    })
  })

  it('does not vary for a resource with one form', async () => {
    expect((await send('/single')).headers).not.toHaveProperty('Vary')
  })

  it('responds with the given bytes', async () => {
    const { headers, body } = await send('/bytes')
    expect([headers['Content-Length'], headers['ETag'], body]).toEqual([
      '2',
      formatEntityTag(entityTagOf('application/octet-stream', Uint8Array.of(0xff, 0))),
      Uint8Array.of(0xff, 0),
    ])
  })

  it('responds without length and entity tag to streamed content', async () => {
    const { headers, body } = await send('/stream')
    expect(headers).toEqual({
      'Content-Type': 'text/plain',
      'Cache-Control': 'no-cache',
      Pragma: 'no-cache',
      Expires: '0',
      Vary: 'Accept-Encoding',
    })
    expect(await new Response(body as AsyncIterable<Uint8Array> as never).text()).toBe('a')
  })

  it('responds with compressed content to a client that prefers it', async () => {
    const headers = { 'accept-encoding': 'gzip, deflate, br' }
    const response = await send('/stream', { headers })
    expect(response.headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' })
    expect(await textOf(response)).toBe('a')
    const compressed = await send('/archive', { headers })
    expect(compressed.headers).not.toHaveProperty('Content-Encoding')
    expect(compressed.headers).not.toHaveProperty('Vary')
    expect(await textOf(compressed)).toBe('a')
  })

  it.each([
    ['/emptied', { status: 204, headers: {} }],
    ['/moved', { status: 303, headers: { Location: '/note', 'Content-Length': '0' } }],
  ])('of %s responds without content: %j', async (target, expected) => {
    for (const method of ['GET', 'HEAD']) {
      expect(await send(target, { method })).toEqual({ ...expected, body: null, reported: [] })
    }
  })

  it('varies by the caller where only callers may read, unless the response must not be stored', async () => {
    const headers = { authorization: 'Bearer alice' }
    const own = await send('/own', { headers })
    expect(own.headers).toMatchObject({ 'Cache-Control': 'no-cache, private', Vary: 'Accept, Authorization' })
    const secret = await send('/secret', { headers })
    expect(secret.headers['Cache-Control']).toBe('no-store')
    expect(secret.headers).not.toHaveProperty('Vary')
  })

  it.each([{}, { 'accept-encoding': 'gzip' }])('reports an error during streaming (%j)', async (headers) => {
    const { status, body, reported } = await send('/torn', { headers })
    expect([status, reported]).toEqual([200, []])
    await expect(textOf({ status, headers: {}, body })).rejects.toThrow('gone')
    expect(reported).toEqual([['GET /torn failed', new Error('gone')]])
  })

  it('passes decoded variables and the query to the resource', async () => {
    expect((await send('/items/a%20b/c/d?x=1&y=%C3%A9&x=2')).body).toBe(
      JSON.stringify([
        ['a b', 'c', 'd'],
        [
          ['x', '1'],
          ['y', '\u00e9'],
          ['x', '2'],
        ],
      ]),
    )
  })
})

describe('a HEAD', () => {
  it.each([
    '/note',
    '/uncached',
    '/checked',
    '/bytes',
    '/stream',
    '/unavailable',
    '/absent',
    '/broken',
    '/nowhere',
    '/echo',
  ])('of %s has the status and the fields of a GET, and no body', async (target) => {
    const { status, headers } = await send(target)
    expect(await send(target, { method: 'HEAD' })).toMatchObject({ status, headers, body: null })
    expect(Object.keys((await send(target, { method: 'HEAD' })).headers)).toEqual(Object.keys(headers))
  })
})

describe('an OPTIONS', () => {
  it.each([
    ['/note', 'GET, HEAD, OPTIONS'],
    ['/echo', 'POST, OPTIONS'],
    ['/document', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/secret', 'GET, HEAD, OPTIONS'],
    ['/broken', 'GET, HEAD, OPTIONS'],
  ])('of %s lists the methods: %s', async (target, allow) => {
    expect(await send(target, { method: 'OPTIONS' })).toEqual({
      status: 204,
      headers: { Allow: allow },
      body: null,
      reported: [],
    })
  })

  it('of an unknown resource responds with 404', async () => {
    expect((await send('/nowhere', { method: 'OPTIONS' })).status).toBe(404)
  })
})

describe('a refused request', () => {
  it.each([
    ['GET', '/nowhere', {}, 404, 'Resource not found.'],
    ['GET', '/absent', {}, 404, 'Resource not found.'],
    ['GET', '/items/%E0/a', {}, 400, 'The path is not percent-encoded UTF-8.'],
    ['GET', '/note/', {}, 404, 'Resource not found.'],
    ['POST', '/note', {}, 405, 'Method not allowed; use GET, HEAD or OPTIONS.'],
    ['TRACE', '/note', {}, 405, 'Method not allowed; use GET, HEAD or OPTIONS.'],
    ['GET', '/note', { accept: 'image/png' }, 406, 'Not acceptable; available as application/json or text/plain.'],
    ['GET', '/note?fields=(', {}, 400, expect.stringContaining('The query parameter fields must be')],
    ['GET', '/refused', {}, 429, 'Slow down.'],
    ['GET', '/secret', {}, 401, 'Authentication required.'],
    ['POST', '/echo', {}, 415, 'The body must be application/json in UTF-8.'],
    ['GET', '/note', { 'if-match': '"x"' }, 412, 'Precondition failed.'],
  ])('of %s %s with %j is %i and an error document', async (method, target, headers, status, detail) => {
    const response = await send(target, { method, headers })
    expect(response).toMatchObject({ status, reported: [], headers: { 'Content-Type': 'application/problem+json' } })
    expect(problem(response.body)).toMatchObject({ type: 'about:blank', status, detail, instance: pathOf(target) })
  })

  it('has the header fields of the error', async () => {
    expect((await send('/note', { method: 'POST' })).headers['Allow']).toBe('GET, HEAD, OPTIONS')
    expect((await send('/refused')).headers['Retry-After']).toBe('5')
    expect((await send('/secret')).headers['WWW-Authenticate']).toBe('Bearer')
    expect((await send('/echo', { method: 'POST' })).headers['Accept']).toBe('application/json')
  })

  it.each([
    ['/broken', new Error('secret')],
    ['/unwritable', new TypeError('Do not know how to serialize a BigInt')],
  ])('of %s is a 500 without details, and is reported', async (target, error) => {
    const { status, body, reported } = await send(target)
    expect([status, problem(body)]).toEqual([
      500,
      { type: 'about:blank', title: 'Internal Server Error', status: 500, instance: target },
    ])
    expect(reported).toEqual([[`GET ${target} failed`, error]])
  })
})
