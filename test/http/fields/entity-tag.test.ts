import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  entityTagOf,
  formatEntityTag,
  matchStrongly,
  matchWeakly,
  parseEntityTag,
  parseEntityTags,
} from '../../../src/http/fields/entity-tag.ts'

const strong = (opaque: string) => ({ weak: false, opaque })
const weak = (opaque: string) => ({ weak: true, opaque })

const entityTags = fc.record({
  weak: fc.boolean(),
  opaque: fc.string({
    unit: fc
      .integer({ min: 0x21, max: 0xff })
      .filter((code) => code !== 0x22 && code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
  }),
})

describe('parseEntityTag', () => {
  it.each([
    ['"xyzzy"', strong('xyzzy')],
    ['W/"xyzzy"', weak('xyzzy')],
    ['""', strong('')],
    ['"a,b"', strong('a,b')],
    ['"a\\"', strong('a\\')],
    ['"\u00e9"', strong('\u00e9')],
  ])('parses %s', (text, tag) => {
    expect(parseEntityTag(text)).toEqual(tag)
  })

  it.each(['', 'xyzzy', '"', '"a', 'w/"a"', 'W/a', 'W/ "a"', '"a"b', '"a b"', '"a"b"', '"\u0000"', '"\u20ac"', '*'])(
    'returns undefined for %j',
    (text) => {
      expect(parseEntityTag(text)).toBeUndefined()
    },
  )
})

describe('parseEntityTags', () => {
  it.each([
    ['*', '*'],
    [' * ', '*'],
    ['"xyzzy"', [strong('xyzzy')]],
    ['"xyzzy", "r2d2xxxx", "c3piozzzz"', [strong('xyzzy'), strong('r2d2xxxx'), strong('c3piozzzz')]],
    ['W/"xyzzy","r2d2xxxx" ,, ', [weak('xyzzy'), strong('r2d2xxxx')]],
    ['"a,b","c"', [strong('a,b'), strong('c')]],
    ['"a\\","b"', [strong('a\\'), strong('b')]],
    ['*, "a"', [strong('a')]],
    ['a, "b"', [strong('b')]],
    ['"a" "b"', []],
    ['', []],
  ] as const)('parses %s', (text, tags) => {
    expect(parseEntityTags(text)).toEqual(tags)
  })

  it('parses every list as it was formatted', () => {
    fc.assert(
      fc.property(fc.array(entityTags), fc.constantFrom(',', ', ', ' ,\t', ',,'), (tags, comma) => {
        expect(parseEntityTags(tags.map(formatEntityTag).join(comma))).toEqual(tags)
      }),
    )
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', ',', ' ', 'W/', '\\', '*', 'a', '\u0000') }), (text) => {
        const tags = parseEntityTags(text)
        expect(tags === '*' || tags.every((tag) => !tag.opaque.includes('"'))).toBe(true)
      }),
    )
  })
})

describe('comparison of entity tags', () => {
  // The table of RFC 9110 §8.8.3.2.
  it.each([
    [weak('1'), weak('1'), false, true],
    [weak('1'), weak('2'), false, false],
    [weak('1'), strong('1'), false, true],
    [strong('1'), strong('1'), true, true],
  ])('of %j and %j is %j strongly and %j weakly', (a, b, strongly, weakly) => {
    expect([matchStrongly(a, b), matchStrongly(b, a)]).toEqual([strongly, strongly])
    expect([matchWeakly(a, b), matchWeakly(b, a)]).toEqual([weakly, weakly])
  })
})

describe('entityTagOf', () => {
  it('is strong, and equal for equal bytes and strings', () => {
    const tag = entityTagOf('text/plain', 'h\u00e9llo')
    expect(tag).toEqual({ weak: false, opaque: expect.stringMatching(/^[\w-]{22}$/) })
    expect(entityTagOf('text/plain', new TextEncoder().encode('h\u00e9llo'))).toEqual(tag)
  })

  it('differs for other bytes', () => {
    expect(entityTagOf('text/plain', 'a')).not.toEqual(entityTagOf('text/plain', 'b'))
  })

  it('differs for another media type', () => {
    expect(entityTagOf('text/plain', 'a')).not.toEqual(entityTagOf('text/html', 'a'))
  })

  it('is the first 22 characters of the SHA-256 in base64url', () => {
    // printf 'text/plain\n' | openssl dgst -sha256 -binary | basenc --base64url
    expect(formatEntityTag(entityTagOf('text/plain', ''))).toBe('"UadOCAVggLnZv8i0M0eVMB"')
  })
})
