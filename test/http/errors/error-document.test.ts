import { STATUS_CODES } from 'node:http'
import { describe, expect, it } from 'vitest'
import { errorDocument } from '../../../src/http/errors/error-document.ts'
import { reasonPhrase } from '../../../src/http/errors/reason-phrase.ts'

describe('errorDocument', () => {
  it('contains the known members in the order of RFC 9457 §3.1', () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    expect(JSON.stringify(errorDocument(404, { detail: 'Gone fishing.', instance: '/a', traceId }))).toBe(
      '{"type":"about:blank","title":"Not Found","status":404,' +
        `"detail":"Gone fishing.","instance":"/a","trace_id":"${traceId}"}`,
    )
  })

  it('contains the request id and members of the application, which cannot override its own', () => {
    const members = {
      type: 'https://example.com/full',
      title: 'Full',
      errors: [],
      status: 200,
      detail: 'x',
      trace_id: 'x',
      rooms: 3,
    }
    expect(errorDocument(409, { detail: 'No room.', requestId: 'r-1', members })).toEqual({
      type: 'https://example.com/full',
      title: 'Full',
      status: 409,
      detail: 'No room.',
      request_id: 'r-1',
      errors: [],
      rooms: 3,
    })
  })

  it('omits unknown members and an empty detail', () => {
    const document = { type: 'about:blank', title: 'Internal Server Error', status: 500 }
    expect(errorDocument(500, {})).toEqual(document)
    expect(Object.keys(errorDocument(500, { detail: '', instance: undefined }))).toEqual(Object.keys(document))
  })
})

describe('reasonPhrase', () => {
  /** Node has names that RFC 9110 has changed or removed. */
  const renamed: Readonly<Record<number, string>> = {
    413: 'Content Too Large',
    418: 'Client Error',
    422: 'Unprocessable Content',
    506: 'Server Error',
    507: 'Server Error',
    508: 'Server Error',
    509: 'Server Error',
    510: 'Server Error',
    511: 'Server Error',
  }
  const statuses = Object.keys(STATUS_CODES).map(Number)

  it.each(statuses.filter((status) => status >= 400))('of %i is the registered one', (status) => {
    expect(reasonPhrase(status)).toBe(renamed[status] ?? STATUS_CODES[status])
  })

  it.each([
    [499, 'Client Error'],
    [599, 'Server Error'],
  ])('of %i, which is unregistered, is that of its class: %s', (status, phrase) => {
    expect(reasonPhrase(status)).toBe(phrase)
  })
})
