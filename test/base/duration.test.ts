import fc from 'fast-check'
import type { Duration } from 'upkeep'
import { describe, expect, it } from 'vitest'
import { durationMilliseconds, parseDuration } from '../../src/base/duration.ts'

describe('parseDuration', () => {
  it.each([
    ['0ms', 0],
    ['500ms', 500],
    ['5s', 5_000],
    ['1.5m', 90_000],
    ['0.25s', 250],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
    ['007s', 7_000],
  ])('converts %s to %d milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  it.each([
    '',
    '5',
    's',
    '5 s',
    ' 5s',
    '5s ',
    '5s\n',
    '-1s',
    '+1s',
    '1e3s',
    '.5s',
    '5.s',
    '1,5s',
    '5S',
    '5min',
    'PT5S',
    'Infinitys',
    '٥s',
  ])('returns undefined for %j', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })

  it('accepts every whole number of a unit', () => {
    const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom('ms', 's', 'm', 'h', 'd'), (amount, unit) => {
        expect(parseDuration(`${amount}${unit}`)).toBe(amount * units[unit])
      }),
    )
  })
})

describe('durationMilliseconds', () => {
  it('converts a duration', () => {
    expect(durationMilliseconds('5s', 'timeout')).toBe(5_000)
  })

  it.each([['5 s'], ['five'], [5000], [undefined]])('rejects %j, with the option', (text) => {
    expect(() => durationMilliseconds(text as Duration, 'timeout')).toThrow(
      new RangeError(`timeout: expected a duration such as "5s", received ${JSON.stringify(text)}`),
    )
  })
})
