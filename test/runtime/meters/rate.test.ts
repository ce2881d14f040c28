import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRate, type Totals } from '../../../src/runtime/meters/rate.ts'
import { createManualClock } from '../../support/manual-clock.ts'

function rateOf(start: Totals = { part: 0, whole: 0 }) {
  const clock = createManualClock()
  let totals = start
  let reads = 0
  const rate = createRate(clock, () => {
    reads++
    return totals
  })
  const pass = (milliseconds: number, part: number, whole: number) => {
    clock.advance(milliseconds)
    totals = { part: totals.part + part, whole: totals.whole + whole }
  }
  return { rate, pass, reads: () => reads }
}

describe('createRate', () => {
  it('is NaN before a second has passed', () => {
    const { rate, pass } = rateOf()
    pass(999, 1, 2)
    expect(rate()).toBeNaN()
    pass(1, 0, 0)
    expect(rate()).toBe(0.5)
  })

  it('covers the time since the previous reading, not since the start', () => {
    const { rate, pass } = rateOf({ part: 1_000, whole: 5_000 })
    pass(1_000, 1, 4)
    expect(rate()).toBe(0.25)
    pass(15_000, 3, 4)
    expect(rate()).toBe(0.75)
  })

  it('is the same for two readers within a second, who do not affect each other', () => {
    const { rate, pass, reads } = rateOf()
    pass(15_000, 6, 10)
    expect(rate()).toBe(0.6)
    pass(500, 0, 1)
    expect(rate()).toBe(0.6)
    pass(499, 0, 1)
    expect(rate()).toBe(0.6)
    expect(reads()).toBe(2)
    pass(1, 1, 0)
    // What came since the first of them read is all there.
    expect(rate()).toBe(0.5)
  })

  it.each([
    ['nothing when the whole stood still', 1, 0, 0],
    ['nothing when the whole went back', 1, -1, 0],
    ['nothing when the part went back', -1, 10, 0],
    ['all when the part outgrew the whole', 11, 10, 1],
    ['unknown when the source does not know', Number.NaN, Number.NaN, Number.NaN],
  ])('is %s', (_name, part, whole, expected) => {
    const { rate, pass } = rateOf({ part: 100, whole: 100 })
    pass(1_000, part, whole)
    expect(rate()).toBe(expected)
  })

  it('is never below 0 or above 1', () => {
    const step = fc.record({ wait: fc.nat(3_000), part: fc.integer(), whole: fc.integer() })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { rate, pass } = rateOf()
        for (const { wait, part, whole } of steps) {
          pass(wait, part, whole)
          const value = rate()
          expect(Number.isNaN(value) || (value >= 0 && value <= 1)).toBe(true)
        }
      }),
    )
  })
})
