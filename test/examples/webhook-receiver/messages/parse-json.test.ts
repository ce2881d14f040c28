import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../../examples/webhook-receiver/messages/parse-json.ts'

const encode = (text: string) => new TextEncoder().encode(text)

describe('parseJson', () => {
  it('parses the output of JSON.stringify for any names and strings', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }),
        fc.constantFrom('', ' ', '\n\t'),
        (value, blanks) => {
          const text = JSON.stringify(value, undefined, blanks)
          expect(parseJson(encode(text))).toEqual(JSON.parse(text))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('rejects duplicate names, also if they are escaped differently', () => {
    const name = fc.array(fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', ':', ',', '\n', '😀'), { maxLength: 2 })
    const spelling = fc.constantFrom(JSON.stringify, escapeAll)
    fc.assert(
      fc.property(fc.array(fc.tuple(name, spelling), { maxLength: 6 }), (members) => {
        const names = members.map(([characters]) => characters.join(''))
        const text = `{${members.map(([characters, spell]) => `${spell(characters.join(''))}:[{}]`).join()}}`
        const read = () => parseJson(encode(text))
        if (new Set(names).size < names.length) expect(read).toThrow(/Duplicate name/)
        else expect(Object.keys(read() as object).sort()).toEqual([...names].sort())
      }),
      { numRuns: 1_000 },
    )
  })

  it('throws only errors for the sender, for any string', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '\\',
      'a',
      '1',
      'null',
      ' ',
      '\\u0000',
      '\0',
      'é',
    )
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), (fragments) => {
        try {
          parseJson(encode(fragments.join('')))
        } catch (error) {
          expect(error).toMatchObject({ name: 'HttpError', status: 400 })
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('parses strings with raw newlines, carriage returns and tabs as if they were escaped', () => {
    const unit = fc.constantFrom('\n', '\r', '\t', '"', '\\', 'n', 'é', '{', ':')
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 10 }), (units) => {
        const text = units.join('')
        const raw = JSON.stringify({ [text]: text }, undefined, '\t')
          .replaceAll(/(?<!\\)((?:\\\\)*)\\n/g, '$1\n')
          .replaceAll(/(?<!\\)((?:\\\\)*)\\t/g, '$1\t')
          .replaceAll(/(?<!\\)((?:\\\\)*)\\r/g, '$1\r')
        expect(parseJson(encode(raw))).toEqual({ [text]: text })
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    ['escapes', '\\n'],
    ['raw newlines', '\n'],
    ['escaped quotes', '\\"'],
    ['escaped backslashes', '\\\\'],
  ])('parses 10 MB of %s in a string', (_name, unit) => {
    const text = unit.repeat(Math.floor(10_000_000 / unit.length))
    expect(parseJson(encode(`{"text":"${text}"}`))).toHaveProperty('text.length', 10_000_000 / unit.length)
  })

  it('throws only errors for the sender, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        try {
          parseJson(bytes)
        } catch (error) {
          expect(error).toMatchObject({ name: 'HttpError', status: 400 })
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

function escapeAll(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0'))
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`
}
