import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatBound, formatValue } from '../../src/prometheus/exposition/numbers.ts'

describe('formatValue', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [1, '1'],
    [-3, '-3'],
    [0.1, '0.1'],
    [1e-7, '1e-7'],
    [2 ** 53, '9007199254740992'],
    [1e21, '1e+21'],
    [5e-324, '5e-324'],
    [Number.MAX_VALUE, '1.7976931348623157e+308'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
  ])('writes %d as %s', (value, expected) => {
    expect(formatValue(value)).toBe(expected)
  })

  it('writes a string that is parsed as the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => Number(formatValue(value)) === value),
    )
  })
})

describe('formatBound', () => {
  it.each([
    [0, '0.0'],
    [1, '1.0'],
    [10, '10.0'],
    [0.005, '0.005'],
    [1.5, '1.5'],
    [-2, '-2.0'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
    [Number.POSITIVE_INFINITY, '+Inf'],
  ])('writes %d as %s', (bound, expected) => {
    expect(formatBound(bound)).toBe(expected)
  })
})
