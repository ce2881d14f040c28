import { requestTypeOf } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'

const type = (contentType: string | undefined) => ({ 'content-type': contentType })
const versions = ['application/json; version=2', 'application/json; version=1']

describe('requestTypeOf', () => {
  it.each<readonly [string | undefined, readonly string[], string]>([
    ['application/json', versions, versions[0] as string],
    ['application/json; version=1', versions, versions[1] as string],
    ['Application/JSON;Version="1";charset=UTF-8', versions, versions[1] as string],
    ['text/csv', ['text/*'], 'text/*'],
    [undefined, ['application/json', '*/*'], '*/*'],
    ['no type', ['*/*'], '*/*'],
    ['image/png', ['application/json', '*/*'], '*/*'],
  ])('of %s among %j is %s', (contentType, accepted, expected) => {
    expect(requestTypeOf(type(contentType), accepted)).toBe(expected)
  })

  it.each<readonly [string | undefined, readonly string[]]>([
    [undefined, versions],
    ['application/json; version=3', versions],
    ['text/plain', versions],
    ['texts/plain', ['text/*']],
    ['application/json; charset=utf-16', versions],
  ])('of %s among %j is not accepted', (contentType, accepted) => {
    expect(() => requestTypeOf(type(contentType), accepted)).toThrow(
      expect.objectContaining({ status: 415, headers: { Accept: accepted.join(', ') } }),
    )
  })

  it('accepts another charset if any bytes are accepted', () => {
    expect(requestTypeOf(type('text/plain; charset=latin1'), ['*/*'], { utf8: false })).toBe('*/*')
  })

  it('says what the body must be, and that it must be in UTF-8 unless any charset is accepted', () => {
    const refuse = (utf8: boolean) => () => requestTypeOf(type('image/png'), ['text/csv', 'text/plain'], { utf8 })
    expect(refuse(true)).toThrow(
      expect.objectContaining({ message: 'The body must be text/csv or text/plain in UTF-8.' }),
    )
    expect(refuse(false)).toThrow(expect.objectContaining({ message: 'The body must be text/csv or text/plain.' }))
  })

  it('accepts an empty content coding', () => {
    expect(requestTypeOf({ ...type('application/json'), 'content-encoding': ' ' }, versions)).toBe(versions[0])
  })

  it('refuses coded content', () => {
    const coded = { ...type('application/json'), 'content-encoding': 'br' }
    expect(() => requestTypeOf(coded, versions)).toThrow(
      expect.objectContaining({ status: 415, headers: { 'Accept-Encoding': 'identity' } }),
    )
    expect(requestTypeOf({ ...coded, 'content-encoding': 'identity' }, versions)).toBe(versions[0])
  })
})
