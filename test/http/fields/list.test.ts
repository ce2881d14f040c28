import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstMembers, parseList } from '../../../src/http/fields/list.ts'

describe('parseList', () => {
  // The first five are those of RFC 9110 §5.6.1.2, which recipients must accept.
  it.each([
    ['foo,bar', ['foo', 'bar']],
    ['foo ,bar,', ['foo', 'bar']],
    ['foo , ,bar,charlie', ['foo', 'bar', 'charlie']],
    ['', []],
    [',', []],
    [',   ,', []],
    [' a b\t,\tc ', ['a b', 'c']],
    ['"a,b",c', ['"a,b"', 'c']],
    ['a="x,y"; b="\\",", c', ['a="x,y"; b="\\","', 'c']],
    ['"a,b', ['"a,b']],
    ['"a\\', ['"a\\']],
    ['a\\,b', ['a\\', 'b']],
  ])('parses %j', (text, members) => {
    expect(parseList(text)).toEqual(members)
  })

  it('treats a backslash literally without quoted pairs', () => {
    expect(parseList('"a\\","b"', { quotedPairs: false })).toEqual(['"a\\"', '"b"'])
    expect(parseList('"a\\","b"')).toEqual(['"a\\","b"'])
  })

  it('parses every list of quoted strings as it was formatted', () => {
    const quotedStrings = fc.string().map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`)
    fc.assert(
      fc.property(fc.array(quotedStrings), (members) => {
        expect(parseList(members.join(', '))).toEqual(members)
      }),
    )
  })

  it('splits at every comma without quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(',', ' ', '\t', 'a', '\\', ';') }), (text) => {
        const members = text.split(',').map((member) => member.trim())
        expect(parseList(text)).toEqual(members.filter((member) => member !== ''))
      }),
    )
  })
})

describe('firstMembers', () => {
  it('returns short values unchanged, and the first members of longer ones', () => {
    expect(firstMembers('a,,b ,c', 2)).toBe('a,,b ,c')
    expect(firstMembers(` a ,,"b,c";d="\\"" ,${'e,'.repeat(200)}`, 3)).toBe('a, "b,c";d="\\"", e')
    expect(firstMembers(`"${'a\\'.repeat(200)}`, 3)).toBe(`"${'a\\'.repeat(200)}`)
    expect(firstMembers(','.repeat(300), 3)).toBe('')
  })
})
