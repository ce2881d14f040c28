import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTimestamp } from '../../src/logging/timestamp.ts'
import { fixedClock } from '../support/fixed-clock.ts'

it('equals that of Date, at any time and in any order', () => {
  const clock = fixedClock(0)
  const timestamp = createTimestamp(clock)
  const times = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 })
  fc.assert(
    fc.property(
      times,
      fc.integer({ min: -2_000, max: 2_000 }),
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      (time, by, part) => {
        for (const now of [time, time + by]) {
          clock.set(now + part)
          expect(timestamp()).toBe(new Date(Math.floor(now + part)).toISOString())
        }
      },
    ),
  )
})
