import { describe, expect, it } from 'vitest'
import { baselineOf, failsMore, isSlower, scoreOf } from '../../../src/console/why/baseline.ts'

const steady = Array.from({ length: 20 }, (_, at) => 0.02 + 0.001 * (at % 3))

describe('a baseline', () => {
  it('needs ten values', () => {
    expect(baselineOf(steady.slice(0, 9))).toBeUndefined()
    expect(baselineOf(steady.slice(0, 10))?.median).toBeCloseTo(0.021)
  })

  it('is not moved by a few values that are far away', () => {
    expect(baselineOf([...steady, 9, 9, 9])?.median).toBeCloseTo(0.021)
  })

  it('has a score in deviations, of at least the floor', () => {
    expect(scoreOf(0.5, { median: 0.2, deviation: 0.1 }, 0.01)).toBeCloseTo(3)
    expect(scoreOf(0.5, { median: 0.2, deviation: 0 }, 0.1)).toBeCloseTo(3)
  })

  it.each([
    [0.5, 0.02, true],
    [0.069, 0.02, false],
    [0.2, 0.1, false],
    [0.26, 0.1, true],
  ])('of a duration is left by %d s if %d s are usual: %s', (seconds, median, expected) => {
    expect(isSlower(seconds, { median, deviation: 0 })).toBe(expected)
  })

  it.each([
    [0.1, 40, 0, true],
    [0.04, 40, 0, false],
    [0.15, 40, 0.1, false],
    [0.3, 40, 0.3, true],
  ])('of a share is left by %d of %d requests if %d are usual: %s', (share, count, median, expected) => {
    expect(failsMore(share, count, { median, deviation: 0 })).toBe(expected)
  })
})
