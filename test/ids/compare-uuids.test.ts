import fc from 'fast-check'
import { compareUuids, uuidToBytes } from 'upkeep/ids'
import { expect, it } from 'vitest'
import { uuidVectors } from '../support/uuid-vectors.ts'

it('preserves the order of the vectors of version 7, from nil to max', () => {
  const ordered = uuidVectors.v7order
  expect(ordered).toHaveLength(12)
  expect(ordered.toReversed().sort(compareUuids)).toStrictEqual(ordered)
})

it('orders by bytes, case-insensitively', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.boolean(), (a, b, upper) => {
      const sign = Math.sign(Buffer.compare(uuidToBytes(a), uuidToBytes(b)))
      expect(compareUuids(upper ? a.toUpperCase() : a, b)).toBe(sign)
      expect(compareUuids(a, upper ? a.toUpperCase() : a)).toBe(0)
    }),
  )
})
