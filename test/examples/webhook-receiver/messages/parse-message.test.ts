import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../../examples/webhook-receiver/messages/parse-message.ts'

const limits = { longestText: 100 }

describe('parseMessage', () => {
  it('accepts exactly the texts that UTF-8 and PostgreSQL can represent', () => {
    const codeUnits = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    fc.assert(
      fc.property(codeUnits, (units) => {
        const text = String.fromCharCode(...units)
        const holds = Buffer.from(text, 'utf8').toString('utf8') === text && !units.includes(0)
        if (holds && text !== '') expect(parseMessage({ text }, limits)).toEqual({ text })
        else expect(() => parseMessage({ text }, limits)).toThrow(/^The field "text" (holds|is empty)/)
      }),
      { numRuns: 500 },
    )
  })

  it('accepts only an object with a string text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const fits =
          typeof value === 'object' &&
          value !== null &&
          'text' in value &&
          typeof value['text'] === 'string' &&
          value['text'] !== ''
        if (!fits) expect(() => parseMessage(value, limits)).toThrow(/"text"/)
      }),
    )
  })

  it.each([
    [{ text: 'ab\0' }, 'The field "text" holds U+0000 at 2, which cannot be stored.'],
    [{ text: 'a\ud83d' }, 'The field "text" holds half of a surrogate pair at 1.'],
    [{ text: null }, 'The field "text" must be a string, not null.'],
    [{ text: [] }, 'The field "text" must be a string, not an array.'],
    [{ text: {} }, 'The field "text" must be a string, not an object.'],
    [{ text: 1 }, 'The field "text" must be a string, not a number.'],
    [{}, 'The field "text" is missing: it must be a string.'],
    [null, 'The body must be a JSON object with a string "text", not null.'],
    ['a', 'The body must be a JSON object with a string "text", not a string.'],
  ])('describes the error in %j', (value, message) => {
    expect(() => parseMessage(value, limits)).toThrow(message)
  })
})
