import { describe, expect, it } from 'vitest'
import {
  formatAgo,
  formatBytes,
  formatDate,
  formatExactTime,
  formatNumber,
  formatRate,
  formatSeconds,
  formatShare,
  formatTime,
} from '../../../src/console/ui/format.ts'

describe('a formatted', () => {
  it.each([
    [0, '0'],
    [0.012345, '0.0123'],
    [1.239, '1.24'],
    [12.34, '12.3'],
    [1234.5, '1,235'],
    [1e-9, '1.00e-9'],
    [1e18, '1.00e+18'],
    [Number.NaN, 'NaN'],
    [null, '–'],
  ])('number %s is %s', (value, text) => {
    expect(formatNumber(value)).toBe(text)
  })

  it.each([
    [0, '0 s'],
    [0.000_85, '850 µs'],
    [0.0123, '12.3 ms'],
    [0.9996, '1 s'],
    [4.5, '4.5 s'],
    [59.6, '1 min'],
    [125, '2 min 5 s'],
    [3_600, '1 h'],
    [97_200, '1 d 3 h'],
    [-2, '-2 s'],
    [undefined, '–'],
  ])('duration of %s seconds is %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text)
  })

  it.each([
    [0, '0 B'],
    [1_023, '1,023 B'],
    [1_536, '1.5 KiB'],
    [536_870_912, '512 MiB'],
    [2 ** 60, '1,048,576 TiB'],
    [null, '–'],
  ])('size of %s bytes is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })

  it.each([
    [0, '0/s'],
    [0.05, '3/min'],
    [180.4, '180/s'],
    [null, '–'],
  ])('rate of %s per second is %s', (rate, text) => {
    expect(formatRate(rate)).toBe(text)
  })

  it.each([
    [0, '0 %'],
    [0.006_11, '0.61 %'],
    [0.42, '42 %'],
    [Number.NaN, '–'],
    [null, '–'],
  ])('share of %s is %s', (share, text) => {
    expect(formatShare(share)).toBe(text)
  })

  it('time has the time zone of the reader', () => {
    const at = new Date(2026, 10, 26, 3, 4, 5, 6).getTime()
    expect([formatTime(at), formatExactTime(at), formatDate(at)]).toEqual([
      '03:04:05',
      '03:04:05.006',
      '2026-11-26 03:04:05',
    ])
    expect([formatTime(Number.NaN), formatExactTime(Number.NaN), formatDate(Number.NaN)]).toEqual(['–', '–', '–'])
  })

  it.each([
    [1_000, 66_000, '1 min 5 s ago'],
    [1_000, 1_400, 'now'],
    [9_000, 1_000, 'now'],
  ])('time of %s is at %s %s', (at, now, text) => {
    expect(formatAgo(at, now)).toBe(text)
  })
})
