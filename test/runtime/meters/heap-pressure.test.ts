import { describe, expect, it } from 'vitest'
import { createOverhead } from '../../../src/runtime/meters/heap-pressure.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const minute = 60_000

describe('createOverhead', () => {
  it('is the share of the pauses in the time since its creation', () => {
    const clock = createManualClock()
    const { addPause, share } = createOverhead(clock)
    expect(share()).toBe(0)
    clock.advance(minute)
    addPause(600)
    expect(share()).toBe(0.01)
    clock.advance(minute)
    expect(share()).toBe(0.005)
    addPause(600)
    expect(share()).toBe(0.01)
  })

  it('forgets pauses after five minutes', () => {
    const clock = createManualClock()
    const { addPause, share } = createOverhead(clock)
    clock.advance(10 * minute)
    addPause(2_800)
    expect(share()).toBeCloseTo(0.01)
    clock.advance(4 * minute)
    expect(share()).toBeGreaterThan(0.009)
    clock.advance(minute)
    expect(share()).toBe(0)
    clock.advance(100 * minute)
    addPause(2_800)
    expect(share()).toBeCloseTo(0.01)
  })

  it('is at most 1', () => {
    const clock = createManualClock()
    const { addPause, share } = createOverhead(clock)
    clock.advance(1_000)
    addPause(5_000)
    expect(share()).toBe(1)
  })
})
