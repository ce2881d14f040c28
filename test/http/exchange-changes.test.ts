import { describe, expect, it } from 'vitest'
import { entityTagOf, formatEntityTag } from '../../src/http/fields/entity-tag.ts'
import { note, send, tag, text } from '../support/note-resources.ts'

describe('a change', () => {
  it('without a result is responded to with 204', async () => {
    expect(await send('/document', { method: 'DELETE' })).toEqual({
      status: 204,
      headers: {},
      body: null,
      reported: [],
    })
  })

  it('responds with its status, headers and content', async () => {
    expect(await send('/notes', { method: 'POST' })).toMatchObject({
      status: 201,
      headers: { Location: '/notes/1', 'Content-Type': 'application/json' },
      body: text,
    })
  })

  it('responds in the preferred form to a client that accepts none', async () => {
    const { status, headers } = await send('/notes', { method: 'POST', headers: { accept: 'image/png' } })
    expect([status, headers['Content-Type']]).toEqual([201, 'application/json'])
  })

  it('is not made if the requested fields are malformed', async () => {
    expect((await send('/notes?fields=)', { method: 'POST' })).status).toBe(400)
  })

  it('reads the body if it needs one', async () => {
    async function* bytes() {
      yield new TextEncoder().encode('{"text":')
      yield new TextEncoder().encode('"a"}')
    }
    const headers = { 'content-type': 'application/json' }
    const response = await send('/echo', { method: 'POST', headers, body: () => ({ kind: 'bytes', bytes: bytes() }) })
    expect([response.status, response.body]).toEqual([200, '{"text":"a"}'])
  })

  it.each([
    ['PUT', '/document', { 'if-match': tag }, 204],
    ['PUT', '/document', { 'if-match': formatEntityTag(entityTagOf('text/plain', note.text)) }, 204],
    ['PUT', '/document', { 'if-match': '*' }, 204],
    ['DELETE', '/document', { 'if-match': '"x"' }, 412],
    ['PUT', '/document', { 'if-none-match': '*' }, 412],
    ['PUT', '/document', { 'if-unmodified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 204],
    ['PUT', '/document', { 'if-unmodified-since': 'Wed, 31 Dec 2025 23:59:59 GMT' }, 412],
    ['PUT', '/vacant', { 'if-match': '*' }, 412],
    ['PUT', '/vacant', { 'if-none-match': '*' }, 204],
  ])('by %s of %s on %j responds with %i', async (method, target, headers, status) => {
    expect((await send(target, { method, headers })).status).toBe(status)
  })
})

describe('the caller', () => {
  it('is passed to a resource that requires authorization', async () => {
    expect((await send('/secret', { headers: { authorization: 'Bearer alice' } })).body).toBe('"alice"')
    expect((await send('/secret', { headers: { authorization: 'Bearer mallory' } })).status).toBe(401)
  })

  it('is determined on demand by a public resource', async () => {
    expect((await send('/personal', { headers: { authorization: 'Bearer alice' } })).body).toBe('"alice"')
    expect((await send('/personal')).body).toBe('"nobody"')
  })
})
