import fc from 'fast-check'
import { formatTraceparent, parseTraceparent, randomFlag, sampledFlag } from 'upkeep/ids'
import { describe, expect, it } from 'vitest'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'
const good = `00-${trace}-${span}-01`

describe('parseTraceparent', () => {
  it('parses trace, span and flags', () => {
    expect(parseTraceparent(good)).toStrictEqual({ traceId: trace, spanId: span, flags: 1 })
  })

  it('reads the random flag of level 2', () => {
    expect(parseTraceparent(`00-${trace}-${span}-03`)?.flags).toBe(sampledFlag | randomFlag)
    expect(parseTraceparent(`00-${trace}-${span}-02`)?.flags).toBe(randomFlag)
  })

  it('parses all eight flags of version 00', () => {
    expect(parseTraceparent(`00-${trace}-${span}-ff`)?.flags).toBe(0xff)
    expect(parseTraceparent(`00-${trace}-${span}-80`)?.flags).toBe(0x80)
  })

  it.each([
    ['of the next version', `01-${trace}-${span}-01`],
    ['of the last version', `fe-${trace}-${span}-01`],
    ['with more after it', `cc-${trace}-${span}-01-what-the-future-will-be-like`],
    ['with an empty part after it', `cc-${trace}-${span}-01-`],
    ['with more after it, up to 512 characters', `cc-${trace}-${span}-01-`.padEnd(512, '?')],
  ])('parses a field of a later version %s', (_, text) => {
    expect(parseTraceparent(text)).toStrictEqual({ traceId: trace, spanId: span, flags: 1 })
  })

  it('parses only the flags of version 00 of a later version', () => {
    expect(parseTraceparent(`cc-${trace}-${span}-ff`)?.flags).toBe(0x03)
  })

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['too short', good.slice(0, -1)],
    ['with a newline after it', `${good}\n`],
    ['with a space after it', `${good} `],
    ['with a space before it', ` ${good}`],
    ['sent twice', `${good}, ${good}`],
    ['sent twice, of a future version', `cc${good.slice(2)}, ${good}`],
    ['in upper case', good.toUpperCase()],
    ['with a trace of zeros', `00-${'0'.repeat(32)}-${span}-01`],
    ['with a span of zeros', `00-${trace}-${'0'.repeat(16)}-01`],
    ['of version ff', `ff${good.slice(2)}`],
    ['of version 00 and more', `${good}-00`],
    ['of a future version, the rest without its dash', `cc${good.slice(2)}.00`],
    ['prohibitively long', `cc-${trace}-${span}-01-`.padEnd(513, '?')],
    ['with digits like these of another script', good.replace('4', '\u0664')],
    ['with a character that ends in the bits of a digit', good.replace('4', '\u0134')],
    ['with a version that ends in the bits of a digit', `\u0130${good.slice(1)}`],
    ['with flags that end in the bits of a digit', `${good.slice(0, -1)}\u0131`],
  ])('rejects a field that is %s', (_, text) => {
    expect(parseTraceparent(text)).toBeUndefined()
  })

  it.each(Array.from(good, (_, index) => index))('rejects any other character at %i', (index) => {
    for (let code = 0; code < 0x300; code += 1) {
      const text = good.slice(0, index) + String.fromCharCode(code) + good.slice(index + 1)
      expect(parseTraceparent(text) !== undefined, JSON.stringify(text)).toBe(grammar.test(text))
    }
  })

  it('agrees with the grammar on any text', () => {
    const nearly = fc
      .tuple(hexDigits(2), hexDigits(32), hexDigits(16), hexDigits(2), fc.constantFrom('', '-', '-00', '.', '\n', ' '))
      .map(([version, ...rest]) => `${version}-${rest.slice(0, 3).join('-')}${rest[3]}`)
    const broken = fc
      .tuple(nearly, fc.nat(60), fc.string({ unit: 'binary', maxLength: 2 }))
      .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + put.length))
    fc.assert(
      fc.property(fc.oneof(nearly, broken, fc.string()), (text) => {
        expect(parseTraceparent(text) !== undefined).toBe(grammar.test(text))
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('formatTraceparent', () => {
  it.each([
    [0x00, '00'],
    [0x01, '01'],
    [0x0a, '0a'],
    [0x10, '10'],
    [0xff, 'ff'],
    [0x1ff, 'ff'],
    [-1, 'ff'],
  ])('formats the flags %i as %s', (flags, digits) => {
    expect(formatTraceparent({ traceId: trace, spanId: span, flags })).toBe(`00-${trace}-${span}-${digits}`)
  })

  it('formats what parseTraceparent parses', () => {
    const context = fc.record({ traceId: id(32), spanId: id(16), flags: fc.nat(0xff) }, { noNullPrototype: true })
    fc.assert(
      fc.property(context, (value) => {
        expect(parseTraceparent(formatTraceparent(value))).toStrictEqual(value)
      }),
    )
  })

  it('formats a field of version 00 as it was parsed', () => {
    fc.assert(
      fc.property(id(32), id(16), hexDigits(2), (traceId, spanId, flags) => {
        const text = `00-${traceId}-${spanId}-${flags}`
        const context = parseTraceparent(text)
        expect(context && formatTraceparent(context)).toBe(text)
      }),
    )
  })
})

/** The same rules as one pattern. */
const ids = '(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}'
const grammar = new RegExp(String.raw`^(?!ff)(?:00-${ids}|(?!00)[0-9a-f]{2}-${ids}(?:-[\s\S]{0,456})?)$`)

function hexDigits(length: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
}

function id(length: number): fc.Arbitrary<string> {
  return hexDigits(length).filter((text) => /[^0]/.test(text))
}
