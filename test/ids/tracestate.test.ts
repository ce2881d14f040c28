import fc from 'fast-check'
import { formatTracestate, parseTracestate } from 'upkeep/ids'
import { describe, expect, it } from 'vitest'

const members = (count: number) => Array.from({ length: count }, (_, at) => ({ key: `k${at}`, value: `${at}` }))

describe('parseTracestate', () => {
  it('preserves the order', () => {
    expect(parseTracestate('rojo=00f067aa0ba902b7,congo=t61rcWkgMzE')).toStrictEqual([
      { key: 'rojo', value: '00f067aa0ba902b7' },
      { key: 'congo', value: 't61rcWkgMzE' },
    ])
  })

  it('trims white space around members, and preserves leading spaces of values', () => {
    expect(parseTracestate(' \tfoo=1 \t , \t bar=  2 3 ')).toStrictEqual([
      { key: 'foo', value: '1' },
      { key: 'bar', value: '  2 3' },
    ])
  })

  it.each(['', ' ', ',', ' ,\t, '])('reads %j as no members', (text) => {
    expect(parseTracestate(text)).toStrictEqual([])
  })

  it('returns undefined for an absent field', () => {
    expect(parseTracestate(undefined)).toBeUndefined()
  })

  it('skips empty members', () => {
    expect(parseTracestate(', foo=1, ,')).toStrictEqual([{ key: 'foo', value: '1' }])
  })

  it('returns the newer of two members with one key', () => {
    expect(parseTracestate('foo=2,bar=1,foo=1')).toStrictEqual([
      { key: 'foo', value: '2' },
      { key: 'bar', value: '1' },
    ])
  })

  it('accepts 32 members beside empty ones, but not 33', () => {
    const text = formatTracestate(members(32))
    expect(parseTracestate(text)).toHaveLength(32)
    expect(parseTracestate(`${text},,`)).toHaveLength(32)
    expect(parseTracestate(`${text},k32=1`)).toBeUndefined()
    expect(parseTracestate(`${text},k1=1`)).toBeUndefined()
  })

  it.each([
    ['letters, digits and signs', 'a0_-*/@'],
    ['a digit first', '0tenant@system'],
    ['256 characters', 'k'.repeat(256)],
  ])('accepts a key of %s', (_, key) => {
    expect(parseTracestate(`${key}=1`)).toStrictEqual([{ key, value: '1' }])
  })

  it('accepts a value of 256 visible characters and spaces other than comma and equals sign', () => {
    const value = Array.from({ length: 0x5f }, (_, at) => String.fromCharCode(0x20 + at))
      .filter((character) => character !== ',' && character !== '=')
      .join('')
    expect(parseTracestate(`foo=${value}`)).toStrictEqual([{ key: 'foo', value }])
    expect(parseTracestate(`foo=${'v'.repeat(256)}`)).toHaveLength(1)
  })

  it.each([
    ['an upper-case key', 'Foo=1'],
    ['a key that begins with a sign', '@foo=1'],
    ['a key of 257 characters', `${'k'.repeat(257)}=1`],
    ['an empty key', '=1'],
    ['a space after the key', 'foo =1'],
    ['no value', 'foo='],
    ['a blank value', 'foo=  '],
    ['no equals sign', 'foo'],
    ['two equals signs', 'foo=1=2'],
    ['a value of 257 characters', `foo=${'v'.repeat(257)}`],
    ['a tab inside a value', 'foo=1\t2'],
    ['a newline after a value', 'foo=1\n'],
    ['a no-break space around a member', 'foo=1\u00a0'],
    ['a letter beyond ASCII', 'foo=\u00e9'],
    ['one bad member among good ones', 'foo=1,Bar=2,baz=3'],
  ])('rejects the whole field for %s', (_, text) => {
    expect(parseTracestate(text)).toBeUndefined()
  })
})

describe('formatTracestate', () => {
  it('joins the members, newest first', () => {
    expect(
      formatTracestate([
        { key: 'a', value: '1' },
        { key: 'b', value: ' 2' },
      ]),
    ).toBe('a=1,b= 2')
    expect(formatTracestate([])).toBe('')
  })

  it.each([
    ['33 members', members(33)],
    ['a key twice', [...members(1), ...members(1)]],
    ['a key against the grammar', [{ key: 'A', value: '1' }]],
    ['a key with white space around it', [{ key: ' a', value: '1' }]],
    ['a value with white space after it', [{ key: 'a', value: '1 ' }]],
    ['a value that would be two members', [{ key: 'a', value: '1,b=2' }]],
    ['an empty value', [{ key: 'a', value: '' }]],
    ['nothing at all', [{ key: '', value: '' }]],
  ])('rejects %s', (_, bad) => {
    expect(() => formatTracestate(bad)).toThrow(RangeError)
  })

  it('formats what parseTracestate parses', () => {
    const key = fc.stringMatching(/^[a-z0-9][a-z0-9_\-*/@]{0,255}$/)
    const value = fc.stringMatching(/^[ -+\--<>-~]{0,255}[!-+\--<>-~]$/)
    const list = fc.uniqueArray(fc.record({ key, value }, { noNullPrototype: true }), {
      selector: (member) => member.key,
      maxLength: 32,
    })
    fc.assert(
      fc.property(list, (all) => {
        expect(parseTracestate(formatTracestate(all))).toStrictEqual(all)
      }),
    )
  })
})

describe('the limits of tracestate', () => {
  const key = (at: number) => `k${String(at).padStart(3, '0')}${'a'.repeat(252)}`
  const longest = Array.from({ length: 32 }, (_, at) => `${key(at)}=${'1'.repeat(256)}`)

  it('are 32 members of 513 characters, 16,447 in all', () => {
    const text = longest.join(',')
    expect(text).toHaveLength(16_447)
    expect(parseTracestate(text)).toHaveLength(32)
    expect(formatTracestate(parseTracestate(text) ?? [])).toBe(text)
  })

  it('are those of the whole text, white space and empty members included', () => {
    const [first = ''] = longest
    expect(parseTracestate(first.padEnd(16_447, ','))).toHaveLength(1)
    expect(parseTracestate(first.padEnd(16_448, ','))).toBeUndefined()
  })

  it('are named by the error of what exceeds them', () => {
    expect(() => formatTracestate([{ key: 'A', value: '1' }])).toThrow(
      new RangeError('expected valid members of tracestate, received "A=1"'),
    )
  })
})
