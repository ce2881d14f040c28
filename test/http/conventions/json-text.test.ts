import fc from 'fast-check'
import { parseJson } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'
import { hostileBodies } from '../../conformance/hostile-bodies.ts'

const read = (text: string) => parseJson(Buffer.from(text))

describe('parseJson', () => {
  it('reads what any reader does, where no name is there twice', () => {
    const names = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\\"', '{', ':', '__proto__', 'a"b\\'))
    const value = fc.jsonValue({ maxDepth: 6 })
    fc.assert(
      fc.property(fc.dictionary(names, value), (object) => {
        const text = JSON.stringify(object)
        expect(read(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('refuses a name that is there twice, however it is written', () => {
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

  it.each(hostileBodies)('takes $name for JSON: $isJson', ({ body, isJson }) => {
    const parse = () => parseJson(Buffer.from(body))
    if (isJson) expect(parse).not.toThrow()
    else expect(parse).toThrow(expect.objectContaining({ status: 400 }))
  })

  it('takes as deep a text as it is told to', () => {
    const deep = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels))
    expect(() => parseJson(deep(3), { maxDepth: 2 })).toThrow('The body exceeds the nesting depth of 2.')
    expect(() => parseJson(deep(100_000), { maxDepth: 100_000 })).not.toThrow()
  })

  it('leaves the prototype of objects alone', () => {
    const value = read('{"__proto__":{"polluted":true}}') as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })
})
