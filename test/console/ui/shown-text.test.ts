import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shownLines, shownText, shownValue } from '../../../src/console/ui/shown-text.ts'

describe('the text of a service', () => {
  it.each([
    ['a terminal escape', '\u001b[31mred', '\\u001b[31mred'],
    ['a bidirectional control', 'invoice\u202efdp.exe', 'invoice\\u202efdp.exe'],
    ['a lone surrogate', 'a\ud800b', 'a\\ud800b'],
    ['an invisible character', 'pay\u200bpal\ufeff', 'pay\\u200bpal\\ufeff'],
    ['a tag character', '\u{e0041}', '\\ue0041'],
    ['a line break', 'a\r\nb\tc', 'a\\r\\nb\\tc'],
  ])('shows %s by its code', (_, text, shown) => {
    expect(shownText(text)).toBe(shown)
  })

  it.each(['<b onclick="x">&amp;', 'Grüße, שלום, 漢字', '👩‍👩‍👧‍👦 e\u0301'])('is not changed otherwise: %s', (text) => {
    expect(shownText(text)).toBe(text)
    expect(shownLines(text)).toBe(text)
  })

  it('keeps line breaks and tabs if it has several lines', () => {
    expect(shownLines('Error\r\n\tat a\n\u001b[0m')).toBe('Error\n\tat a\n\\u001b[0m')
  })

  it('is cut if it is long', () => {
    expect(shownText('x'.repeat(3_000))).toBe(`${'x'.repeat(2_000)}… (3000 characters)`)
    expect(shownText('abcdef', 3)).toBe('abc… (6 characters)')
    expect(shownLines('x'.repeat(65_536))).toHaveLength(65_536)
  })

  it('never has a control character, a bidirectional control or a lone surrogate', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(shownText(text)).not.toMatch(/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u)
      }),
    )
  })

  it('shows values of JSON', () => {
    expect([shownValue('a'), shownValue({ a: ['\u202e'] }), shownValue(undefined)]).toEqual([
      'a',
      '{"a":["\\u202e"]}',
      'undefined',
    ])
  })
})
