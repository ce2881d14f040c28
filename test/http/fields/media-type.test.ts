import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMediaType } from '../../../src/http/fields/media-type.ts'

describe('parseMediaType', () => {
  it.each([
    ['application/json', 'application/json', {}],
    [' application/json ', 'application/json', {}],
    ['Application/Problem+JSON', 'application/problem+json', {}],
    ['text/html;charset=utf-8', 'text/html', { charset: 'utf-8' }],
    ['Text/HTML;Charset="utf-8"', 'text/html', { charset: 'utf-8' }],
    ['text/html; charset="utf-8"', 'text/html', { charset: 'utf-8' }],
    ['text/html ; charset=UTF-8', 'text/html', { charset: 'UTF-8' }],
    ['text/plain; a="x;y, \\"z\\" \\\\"; b=2', 'text/plain', { a: 'x;y, "z" \\', b: '2' }],
    ['text/plain; a=""', 'text/plain', { a: '' }],
    ['text/plain; a=1; A=2', 'text/plain', { a: '1' }],
    ['text/plain;', 'text/plain', {}],
    ['text/plain; ;; a=1 ;', 'text/plain', { a: '1' }],
    ['text/plain; __proto__=1', 'text/plain', JSON.parse('{"__proto__":"1"}')],
  ])('parses %j', (text, essence, parameters) => {
    const parsed = parseMediaType(text)
    expect(parsed?.essence).toBe(essence)
    expect(Object.fromEntries(parsed?.parameters ?? [])).toEqual(parameters)
  })

  it.each([
    '',
    'json',
    '/',
    'application/',
    '/json',
    'a/b/c',
    'application/json, text/html',
    'application/json charset=utf-8',
    'application/json; charset',
    'application/json; charset=',
    'application/json; charset = utf-8',
    'application/json; charset="utf-8',
    'application/json; a="\\',
    'appli cation/json',
    'application/j\u00e9son',
  ])('returns undefined for %j', (text) => {
    expect(parseMediaType(text)).toBeUndefined()
  })

  it('parses every quoted parameter as it was formatted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (value) => {
        const parsed = parseMediaType(`text/plain; a="${value.replaceAll(/["\\]/g, '\\$&')}"`)
        expect(parsed?.parameters.get('a')).toBe(value)
      }),
    )
  })

  it.each([
    ['a long value', `a/b;c="${'x'.repeat(60_000)}"`, 'a/b'],
    ['an endless value', `a/b;c="${'\\x'.repeat(30_000)}`, undefined],
    ['a row of semicolons', `a/b${';'.repeat(60_000)}`, 'a/b'],
    ['a row of spaces', `a/b${' '.repeat(60_000)};c`, undefined],
    ['more than any header field holds', `a/b;c="${'x'.repeat(20_000_000)}"`, undefined],
  ])('accepts %s', (_, text, essence) => {
    expect(parseMediaType(text)?.essence).toBe(essence)
  })

  it('accepts 64 KiB, and no character more', () => {
    const spaces = ' '.repeat(65_536 - 'a/b'.length)
    expect(parseMediaType(`a/b${spaces}`)?.essence).toBe('a/b')
    expect(parseMediaType(`a/b${spaces} `)).toBeUndefined()
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '/', ';', '=', '"', '\\', ' ', '\n', '\u00e9') }), (text) => {
        const essence = parseMediaType(text)?.essence
        expect(essence === undefined || /^[^/\s]+\/[^/\s]+$/.test(essence)).toBe(true)
      }),
    )
  })
})
