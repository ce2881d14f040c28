import { describe, expect, it } from 'vitest'
import { BucketFinder } from '../../src/metrics/distribution/bucket-finder.ts'

describe('the place of a value', () => {
  it.each([
    [0, 1],
    [-0, 1],
    [0.5, 1],
    [1, 1],
    [1.5, 2],
    [5, 2],
    [5.000001, 3],
    [Number.MAX_VALUE, 3],
  ])('of %d among 1 and 5 is %d', (value, place) => {
    expect(new BucketFinder([1, 5], 1).placeOf(value)).toBe(place)
  })

  it.each([0, -0, 1e-300, 7, Number.MAX_VALUE])('of %d without bounds is the only one', (value) => {
    expect(new BucketFinder([], 3).placeOf(value)).toBe(3)
  })
})
