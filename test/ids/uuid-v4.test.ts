import { createUuidV4, uuidV4 } from 'upkeep/ids'
import { expect, it } from 'vitest'
import { fixedRandom } from '../support/fixed-random.ts'

it('has 122 random bits around version and variant, as in RFC 9562 A.3', () => {
  const words = [0x919108f7, 0x52d1_f320, 0x1bac_f847, 0xdb4148a8]
  expect(createUuidV4({ random: fixedRandom(words) })()).toBe('919108f7-52d1-4320-9bac-f847db4148a8')
})

it.each([
  [0x00000000, '00000000-0000-4000-8000-000000000000'],
  [0xffffffff, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  [0x40000000, '40000000-4000-4000-8000-000040000000'],
  [0xbfffbfff, 'bfffbfff-bfff-4fff-bfff-bfffbfffbfff'],
])('sets version and variant among the bits %o', (word, text) => {
  expect(createUuidV4({ random: fixedRandom([], () => word) })()).toBe(text)
})

it('has each of the four variants equally often', () => {
  const counts = { 8: 0, 9: 0, a: 0, b: 0 }
  for (let count = 0; count < 40_000; count += 1) counts[uuidV4().charAt(19) as keyof typeof counts] += 1
  // Ten standard deviations of 87 to both sides: off by chance once in 10²² runs.
  for (const count of Object.values(counts)) expect(Math.abs(count - 10_000)).toBeLessThan(870)
})

it('creates no UUID twice', () => {
  const ids = new Set(Array.from({ length: 200_000 }, uuidV4))
  expect(ids.size).toBe(200_000)
})
