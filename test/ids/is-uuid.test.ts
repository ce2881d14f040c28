import { isUuid, maxUuid, nilUuid, uuidNamespaces } from 'upkeep/ids'
import { describe, expect, it } from 'vitest'
import { uuidVectors } from '../support/uuid-vectors.ts'

describe.each(uuidVectors.inspect.filter(({ strictValid }) => strictValid !== undefined))('$in', (vector) => {
  it(vector.strictValid ? `is a UUID of version ${vector.version} only` : 'is not a UUID', () => {
    expect(isUuid(vector.in)).toBe(vector.strictValid)
    const versions = Array.from({ length: 16 }, (_, version) => version).filter((version) => isUuid(vector.in, version))
    expect(versions).toStrictEqual(vector.version === null ? [] : [vector.version])
  })
})

it.each([undefined, null, 4, {}, ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6'], new String(nilUuid)])(
  'takes nothing but text: %j',
  (value) => {
    expect(isUuid(value)).toBe(false)
  },
)

it.each([
  ['in upper case', 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6'],
  ['in braces', '{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}'],
  ['with a newline', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6\n'],
])('rejects one %s', (_, text) => {
  expect(isUuid(text)).toBe(false)
})

it('accepts the predefined namespaces', () => {
  expect([nilUuid, maxUuid, ...Object.values(uuidNamespaces)].map((uuid) => isUuid(uuid))).not.toContain(false)
  expect(Object.values(uuidNamespaces).map((uuid) => isUuid(uuid, 1))).not.toContain(false)
})

const uuid = '12345678-9abc-4def-8123-456789abcdef'
const digits = [...uuid].flatMap((digit, at) => (digit === '-' ? [] : [at]))

it.each(digits)('rejects the letter g at %i', (at) => {
  expect(isUuid(uuid)).toBe(true)
  expect(isUuid(`${uuid.slice(0, at)}g${uuid.slice(at + 1)}`)).toBe(false)
})

it.each(digits)('rejects the letter g at %i of the nil UUID', (at) => {
  expect(isUuid(`${nilUuid.slice(0, at)}g${nilUuid.slice(at + 1)}`)).toBe(false)
})
