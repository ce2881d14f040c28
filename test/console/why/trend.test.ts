import { expect, it } from 'vitest'
import { trendOf } from '../../../src/console/why/trend.ts'

it('finds the line through points, and how well it fits', () => {
  expect(trendOf([0, 1, 2, 3].map((x) => ({ x, y: 5 + 2 * x })))).toEqual({ slope: 2, fit: 1 })
  expect(trendOf([1, 9, 1, 9].map((y, x) => ({ x, y }))).fit).toBeLessThan(0.3)
  expect(trendOf([1, 1, 1].map((y, x) => ({ x, y })))).toEqual({ slope: 0, fit: 0 })
})
