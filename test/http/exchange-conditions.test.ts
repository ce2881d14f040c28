import { describe, expect, it } from 'vitest'
import { problem, send, tag } from '../support/note-resources.ts'

describe('a precondition of a GET', () => {
  it.each([
    [{ 'if-none-match': tag }],
    [{ 'if-none-match': `"x", W/${tag}` }],
    [{ 'if-none-match': '*' }],
    [{ 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }],
  ])('%j is responded to with 304 and the fields that update the copy', async (headers) => {
    const notModified = {
      status: 304,
      headers: {
        'Cache-Control': 'max-age=60',
        Date: 'Fri, 02 Jan 2026 03:04:05 GMT',
        Expires: 'Fri, 02 Jan 2026 03:05:05 GMT',
        ETag: tag,
        'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
        Vary: 'Accept',
      },
      body: null,
      reported: [],
    }
    expect(await send('/note', { headers })).toEqual(notModified)
    expect(await send('/note', { method: 'HEAD', headers })).toEqual(notModified)
  })

  it('with the entity tag of another form does not match', async () => {
    expect((await send('/note', { headers: { 'if-none-match': tag, accept: 'text/plain' } })).status).toBe(200)
    expect((await send('/note?fields=text', { headers: { 'if-none-match': tag } })).status).toBe(200)
  })

  it('keeps Content-Location and Vary in a 304', async () => {
    expect((await send('/checked', { headers: { 'if-none-match': tag } })).headers).toEqual({
      'Cache-Control': 'no-cache',
      Pragma: 'no-cache',
      Expires: '0',
      ETag: tag,
      Vary: 'Accept',
      'Content-Location': '/note',
      Link: '</note>; rel=up',
    })
  })

  it.each([
    ['/uncached', { 'if-none-match': '*' }],
    ['/uncached', { 'if-none-match': tag }],
    ['/uncached', { 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }],
  ])('is ignored for %s with %j, which must not be stored', async (target, headers) => {
    expect((await send(target, { headers })).status).toBe(200)
  })

  // RFC 9110 §13.2.1: preconditions are ignored unless the response would be a success without them.
  it.each([
    ['GET', '/choices', {}, 300],
    ['GET', '/unavailable', {}, 503],
    ['GET', '/absent', {}, 404],
    ['GET', '/nowhere', {}, 404],
    ['POST', '/note', {}, 405],
    ['GET', '/note', { accept: 'image/png' }, 406],
    ['GET', '/secret', {}, 401],
    ['GET', '/broken', {}, 500],
    ['OPTIONS', '/note', {}, 204],
  ])('of %s %s %j is ignored, since the response is %i anyway', async (method, target, headers, status) => {
    for (const condition of [{ 'if-none-match': '*' }, { 'if-match': '"x"' }]) {
      expect((await send(target, { method, headers: { ...headers, ...condition } })).status).toBe(status)
    }
  })
})

describe('a change that is guarded', () => {
  const required = 'Precondition required: If-Match or If-Unmodified-Since.'
  const exists = 'The resource exists; use If-Match to replace it.'

  it.each([
    ['PUT', '/guarded', {}, 428, required],
    ['PUT', '/guarded', { 'if-none-match': '*' }, 412, 'Precondition failed.'],
    ['PUT', '/guarded', { 'if-match': tag }, 204, undefined],
    ['POST', '/guarded', {}, 204, undefined],
    ['PUT', '/guarded-methods', {}, 204, undefined],
    ['DELETE', '/guarded-methods', {}, 428, required],
    ['DELETE', '/guarded-methods', { 'if-match': tag }, 204, undefined],
    ['PUT', '/replaced', {}, 409, exists],
    ['PUT', '/replaced', { 'if-match': tag }, 204, undefined],
    ['PUT', '/inserted', {}, 204, undefined],
    ['PUT', '/inserted', { 'if-match': tag }, 412, 'Precondition failed.'],
    ['PUT', '/emptied', { 'if-match': '*' }, 204, undefined],
    ['PUT', '/emptied', { 'if-match': tag }, 412, 'Precondition failed.'],
    ['PUT', '/fixed', { 'if-match': tag }, 404, 'Resource not found.'],
  ] as const)('%s %s with %j is a %s', async (method, target, headers, status, detail) => {
    const response = await send(target, { method, headers })
    expect(response.status).toBe(status)
    if (detail !== undefined) expect(problem(response.body).detail).toBe(detail)
  })
})
