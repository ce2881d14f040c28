import fc from 'fast-check'
import { parseJson } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'
import { hostileBodies } from '../../conformance/hostile-bodies.ts'

const read = (text: string) => parseJson(Buffer.from(text))

describe('parseJson', () => {
  it('parses like JSON.parse if names are unique', () => {
    const names = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\\"', '{', ':', '__proto__', 'a"b\\'))
    const value = fc.jsonValue({ maxDepth: 6 })
    fc.assert(
      fc.property(fc.dictionary(names, value), (object) => {
        const text = JSON.stringify(object)
        expect(read(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('refuses duplicate names in any notation', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.jsonValue(), (name, other, value) => {
        fc.pre(name !== other)
        const escaped =
          [...JSON.stringify(name).slice(1, -1)].length === name.length
            ? name
                .split('')
                .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
                .join('')
            : JSON.stringify(name).slice(1, -1)
        const text = `{${JSON.stringify(name)}:${JSON.stringify(value)},${JSON.stringify(other)}:{},"${escaped}":0}`
        expect(() => read(text)).toThrow(
          expect.objectContaining({ status: 400, message: expect.stringContaining('Duplicate name') }),
        )
      }),
    )
  })

  it.each(hostileBodies)('accepts $name as JSON: $isJson', ({ body, isJson }) => {
    const parse = () => parseJson(Buffer.from(body))
    if (isJson) expect(parse).not.toThrow()
    else expect(parse).toThrow(expect.objectContaining({ status: 400 }))
  })

  it('accepts nesting up to the given depth', () => {
    const deep = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels))
    expect(() => parseJson(deep(3), { maxDepth: 2 })).toThrow('The body exceeds the nesting depth of 2.')
    expect(() => parseJson(deep(100_000), { maxDepth: 100_000 })).not.toThrow()
  })

  it.each(['', ' ', '\n\t '])('refuses %j as an empty body', (text) => {
    expect(() => read(text)).toThrow('The body is empty; expected JSON.')
  })

  it('refuses other text, with the error of the parser as the cause', () => {
    expect(() => read('{')).toThrow(
      expect.objectContaining({ status: 400, message: 'The body must be JSON.', cause: expect.any(SyntaxError) }),
    )
  })

  it('refuses bytes that are not UTF-8, with the error of the decoder as the cause', () => {
    expect(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(
      expect.objectContaining({ status: 400, message: 'The body must be UTF-8.', cause: expect.any(TypeError) }),
    )
  })

  it('does not change the prototype of objects', () => {
    const value = read('{"__proto__":{"polluted":true}}') as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })
})
