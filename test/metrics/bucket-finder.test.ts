import { describe, expect, it } from 'vitest'
import { BucketFinder } from '../../src/metrics/distribution/bucket-finder.ts'

describe('BucketFinder.placeOf', () => {
  it.each([
    [0, 1],
    [-0, 1],
    [0.5, 1],
    [1, 1],
    [1.5, 2],
    [5, 2],
    [5.000001, 3],
    [Number.MAX_VALUE, 3],
  ])('finds %d among 1 and 5 at place %d', (value, place) => {
    expect(new BucketFinder([1, 5], 1).placeOf(value)).toBe(place)
  })

  it.each([0, -0, 1e-300, 7, Number.MAX_VALUE])('finds %d without bounds at the only place', (value) => {
    expect(new BucketFinder([], 3).placeOf(value)).toBe(3)
  })
})
