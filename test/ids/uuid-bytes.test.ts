import fc from 'fast-check'
import { bytesToUuid, uuidToBytes, uuidV8 } from 'upkeep/ids'
import { describe, expect, it } from 'vitest'
import { uuidVectors } from '../support/uuid-vectors.ts'

describe.each(uuidVectors.rfc9562)('$title', ({ uuid }) => {
  it('is converted to the bytes of its digits and back', () => {
    const bytes = new Uint8Array(Buffer.from(uuid.replaceAll('-', ''), 'hex'))
    expect(uuidToBytes(uuid.toLowerCase())).toStrictEqual(bytes)
    expect(bytesToUuid(bytes)).toBe(uuid.toLowerCase())
  })
})

it('is the same text after conversion to bytes and back', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(bytesToUuid(uuidToBytes(uuid))).toBe(uuid)
    }),
  )
})

it('reads bytes from the middle of a buffer', () => {
  const bytes = Uint8Array.from({ length: 20 }, (_, index) => index)
  expect(bytesToUuid(bytes.subarray(3, 19))).toBe('03040506-0708-090a-0b0c-0d0e0f101112')
})

it('rejects what is not a UUID', () => {
  expect(() => uuidToBytes('f81d4fae')).toThrow(new TypeError('expected a UUID, received "f81d4fae"'))
  // Every other digit is 0.
  expect(() => uuidToBytes('00000000-0000-0000-0000-00000000000g')).toThrow(/^expected a UUID, received "0/)
  expect(() => bytesToUuid(new Uint8Array(15))).toThrow(new RangeError('expected 16 bytes, received 15'))
  expect(() => uuidV8(new Uint8Array(17))).toThrow(new RangeError('expected 16 bytes, received 17'))
})

describe('uuidV8', () => {
  it.each([
    ['2489e9ad2ee20e000ec932d5f69181c0', '2489e9ad-2ee2-8e00-8ec9-32d5f69181c0'],
    ['5c146b143c524afd938a375d0df1fbf6', '5c146b14-3c52-8afd-938a-375d0df1fbf6'],
    ['00000000000000000000000000000000', '00000000-0000-8000-8000-000000000000'],
    ['ffffffffffffffffffffffffffffffff', 'ffffffff-ffff-8fff-bfff-ffffffffffff'],
  ])('converts %s to %s', (digits, uuid) => {
    const bytes = new Uint8Array(Buffer.from(digits, 'hex'))
    expect(uuidV8(bytes)).toBe(uuid)
    expect(Buffer.from(bytes).toString('hex')).toBe(digits)
  })
})
