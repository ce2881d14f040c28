import { offerJson } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'
import { entityTagOf, formatEntityTag } from '../../src/http/fields/entity-tag.ts'
import { send, text } from '../support/note-resources.ts'

describe('content negotiation', () => {
  it.each([
    [{}, '', 'application/json', text],
    [{ accept: 'text/plain' }, '', 'text/plain', 'h\u00e9llo'],
    [{ accept: 'text/plain;q=0.5, application/json;q=0.4' }, '', 'text/plain', 'h\u00e9llo'],
    [{ accept: 'text/plain' }, '?accept=application/json', 'application/json', text],
    [{}, '?accept=text/*', 'text/plain', 'h\u00e9llo'],
    [{}, '?fields=author(name)', 'application/json', '{"author":{"name":"Alice"}}'],
    [{ accept: 'text/plain' }, '?fields=author', 'text/plain', 'h\u00e9llo'],
  ])('with %j and %j selects %s', async (headers, query, type, body) => {
    const response = await send(`/note${query}`, { headers })
    expect(response).toMatchObject({ status: 200, headers: { 'Content-Type': type }, body })
    expect(response.headers['Content-Length']).toBe(String(new TextEncoder().encode(body).length))
    expect(response.headers['ETag']).toBe(formatEntityTag(entityTagOf(type, body)))
  })

  it('selects fields of the serialized value, in which a date is a string', async () => {
    const [offer] = offerJson({ at: new Date(0), by: { toJSON: () => ({ id: 1, name: 'a' }) } }, ['application/json'])
    const fields = new Map([
      ['at', new Map([['x', 'whole' as const]])],
      ['by', new Map([['id', 'whole' as const]])],
    ])
    expect(offer.render(fields)).toBe('{"at":"1970-01-01T00:00:00.000Z","by":{"id":1}}')
  })
})
