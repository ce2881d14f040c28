import { HttpError } from 'upkeep'
import type { ManagementRequest } from 'upkeep/adapter'
import { errorResponse } from 'upkeep/adapter'
import { describe, expect, it } from 'vitest'
import { requestWith } from '../support/management-request.ts'

const request = (changes: Partial<ManagementRequest> = {}): ManagementRequest => ({ ...requestWith({}), ...changes })
const notFound = new HttpError(404, 'There is nothing.')

describe('errorResponse', () => {
  it('returns an error document', () => {
    const body =
      '{"type":"about:blank","title":"Not Found","status":404,' +
      '"detail":"There is nothing.","instance":"/management/health"}'
    expect(errorResponse(notFound, request())).toEqual({
      status: 404,
      headers: {
        'Content-Type': 'application/problem+json',
        'Content-Length': String(body.length),
        'Cache-Control': 'no-store',
        Pragma: 'no-cache',
        Expires: '0',
        Vary: 'Accept',
      },
      body,
    })
  })

  it('has the same fields and no body for HEAD', () => {
    expect(errorResponse(notFound, request({ method: 'HEAD' }))).toEqual({
      ...errorResponse(notFound, request()),
      body: null,
    })
  })

  it.each([
    [{}, undefined, undefined],
    [{ 'x-request-id': 'r-1' }, undefined, 'r-1'],
    [{ 'x-request-id': 'r-1' }, 'r-2', 'r-2'],
    [{ 'x-request-id': 'r 1' }, undefined, undefined],
    [{ 'x-request-id': 'r'.repeat(129) }, undefined, undefined],
    [{ 'x-request-id': ['r-1', 'r-2'] }, undefined, undefined],
  ])('for %j, with the service identifier %j, contains the request id %j', (headers, requestId, expected) => {
    const { body } = errorResponse(notFound, request({ headers, requestId }))
    expect(JSON.parse(String(body)).request_id).toBe(expected)
  })

  it('omits members that cannot be serialized', () => {
    const { body } = errorResponse(new HttpError(400, 'No.', { members: { big: 1n } }), request())
    expect(JSON.parse(String(body))).toMatchObject({ status: 400, detail: 'No.' })
  })

  it('reveals nothing of an unexpected error', () => {
    const { status, body } = errorResponse(new Error('secret at db.example:5432'), request())
    expect([status, JSON.parse(String(body))]).toEqual([
      500,
      { type: 'about:blank', title: 'Internal Server Error', status: 500, instance: '/management/health' },
    ])
  })

  it('has its length in bytes, not in characters', () => {
    const { headers, body } = errorResponse(new HttpError(400, 'h\u00e9 \u{1f600} \ud800'), request())
    expect(headers['Content-Length']).toBe(String(new TextEncoder().encode(String(body)).length))
    expect(JSON.parse(String(body)).detail).toBe('h\u00e9 \u{1f600} \ud800')
  })

  it.each([
    [undefined, 'application/problem+json'],
    ['*/*', 'application/problem+json'],
    ['application/*', 'application/problem+json'],
    ['application/problem+json', 'application/problem+json'],
    ['application/json', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/json, */*;q=0.1', 'application/json'],
    ['application/json, application/problem+json', 'application/json'],
    ['application/problem+json;q=0, */*', 'application/json'],
    ['text/html', 'application/problem+json'],
    ['*/*;q=0', 'application/problem+json'],
  ])('for a client that accepts %j is %s', (accept, type) => {
    expect(errorResponse(notFound, requestWith({ accept })).headers['Content-Type']).toBe(type)
  })

  it('respects the query parameter accept', () => {
    const target = '/management/health?accept=application/json'
    expect(errorResponse(notFound, request({ target })).headers['Content-Type']).toBe('application/json')
  })

  const traceId = '0af7651916cd43dd8448eb211c80319c'
  it.each([
    [`00-${traceId}-b7ad6b7169203331-01`, traceId],
    [`00-${traceId}-0000000000000000-01`, undefined],
    ['rubbish', undefined],
    [undefined, undefined],
  ])('contains the trace id of traceparent %j', (traceparent, trace) => {
    expect(JSON.parse(String(errorResponse(notFound, requestWith({ traceparent })).body)).trace_id).toBe(trace)
  })

  it.each([
    ['', '/management/health?token=secret', '/management/health'],
    ['https://orders.example/ops', '/management/health', '/ops/management/health'],
    ['https://orders.example', '/a%2Fb;c=d/@e', '/a%2Fb;c=d/@e'],
    ['/ops', '/a/../b', '/ops/a/../b'],
    ['', '//x/management/health', undefined],
    ['', '*', undefined],
    ['', '', undefined],
    ['', 'http://x/a', '/a'],
    ['', 'ftp://x/a', undefined],
    ['', '/\u0000', undefined],
    ['', '/h\u00e9', undefined],
    ['', '/a b', undefined],
    ['', '/%zz', undefined],
    ['', '/%E0', '/%E0'],
    ['', '/<script>', undefined],
    ['', '/"', undefined],
    ['', `/${'a'.repeat(1023)}`, `/${'a'.repeat(1023)}`],
    ['', `/${'a'.repeat(1024)}`, undefined],
  ])('below %j, of %.40j, has the instance %.40j', (base, target, instance) => {
    expect(JSON.parse(String(errorResponse(notFound, request({ base, target })).body)).instance).toBe(instance)
  })

  it('contains the header fields of the error', () => {
    const headers = { Allow: 'GET, HEAD', 'Retry-After': '5', 'Content-Range': 'bytes */7' }
    expect(errorResponse(new HttpError(416, '', { headers }), request()).headers).toMatchObject(headers)
  })

  it('omits fields that frame the response, and invalid ones', () => {
    const headers = {
      'content-length': '1',
      'content-type': 'text/html',
      'transfer-encoding': 'chunked',
      'cache-control': 'public',
      VARY: '*',
      'X-Broken': 'a\r\nSet-Cookie: b',
      'X-Wide': '\u20ac',
      'X Name': 'a',
      '': 'a',
      'X-Good': 'h\u00e9',
    }
    const plain = errorResponse(new HttpError(400, 'x'), request())
    expect(errorResponse(new HttpError(400, 'x', { headers }), request()).headers).toEqual({
      'X-Good': 'h\u00e9',
      ...plain.headers,
    })
  })
})
