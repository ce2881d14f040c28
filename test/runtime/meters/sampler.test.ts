import { describe, expect, it } from 'vitest'
import { createSampler } from '../../../src/runtime/meters/sampler.ts'
import { createManualClock } from '../../support/manual-clock.ts'

describe('createSampler', () => {
  it('reads its source once for all readers within a tenth of a second', () => {
    const clock = createManualClock()
    let calls = 0
    const sample = createSampler(clock, () => ++calls)
    expect(calls).toBe(0)
    expect([sample(), sample()]).toEqual([1, 1])
    clock.advance(99)
    expect(sample()).toBe(1)
    clock.advance(1)
    expect([sample(), sample()]).toEqual([2, 2])
  })

  it('does not cache a failure, and reads the source again', () => {
    let works = true
    const clock = createManualClock()
    const sample = createSampler(clock, () => {
      if (!works) throw new Error('gone')
      return 'here'
    })
    expect(sample()).toBe('here')
    clock.advance(100)
    works = false
    expect(sample).toThrow('gone')
    works = true
    expect(sample()).toBe('here')
  })
})
