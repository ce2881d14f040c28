import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatHttpDate, parseHttpDate } from '../../../src/http/fields/http-date.ts'

const in2026 = Date.UTC(2026, 6, 1)
const example = Date.UTC(1994, 10, 6, 8, 49, 37)

describe('parseHttpDate', () => {
  it.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', example],
    ['Sunday, 06-Nov-94 08:49:37 GMT', example],
    ['Sun Nov  6 08:49:37 1994', example],
    ['Wed Nov 16 08:49:37 1994', Date.UTC(1994, 10, 16, 8, 49, 37)],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Wed, 31 Dec 1969 23:59:59 GMT', -1000],
    ['Thu, 29 Feb 2024 12:00:00 GMT', Date.UTC(2024, 1, 29, 12)],
    ['Sat, 31 Dec 2016 23:59:60 GMT', Date.UTC(2017, 0, 1)],
    ['Sat, 01 Jan 0000 00:00:00 GMT', new Date(0).setUTCFullYear(0, 0, 1)],
    ['Fri, 31 Dec 9999 23:59:59 GMT', Date.UTC(9999, 11, 31, 23, 59, 59)],
  ])('parses %j', (text, milliseconds) => {
    expect(parseHttpDate(text, in2026)).toBe(milliseconds)
  })

  it.each([
    ['Wednesday, 01-Jul-26 00:00:00 GMT', 2026],
    ['Wednesday, 01-Jul-76 00:00:00 GMT', 2076],
    ['Friday, 01-Jul-77 00:00:00 GMT', 1977],
    ['Saturday, 01-Jul-00 00:00:00 GMT', 2000],
    ['Thursday, 01-Jul-99 00:00:00 GMT', 1999],
  ])('interprets the two-digit year of %j as %i', (text, year) => {
    expect(parseHttpDate(text, in2026)).toBe(Date.UTC(year, 6, 1))
  })

  it.each([
    '',
    '0',
    '1994-11-06T08:49:37Z',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 94 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 UTC',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'sun, 06 nov 1994 08:49:37 gmt',
    'Sun, 06 Xyz 1994 08:49:37 GMT',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 31 Nov 1994 08:49:37 GMT',
    'Wed, 29 Feb 2023 12:00:00 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 08:60:00 GMT',
    'Sun, 06 Nov 1994 08:49:61 GMT',
    ' Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT\n',
    'Sunday, 06-Nov-1994 08:49:37 GMT',
    'Sun Nov 06 08:49:37 94',
    'Sun, 06 constructor 1994 08:49:37 GMT',
  ])('returns undefined for %j', (text) => {
    expect(parseHttpDate(text, in2026)).toBeUndefined()
  })

  it('parses every whole second with a four-digit year as it was formatted', () => {
    const first = new Date(0).setUTCFullYear(0, 0, 1) / 1000
    const last = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000
    fc.assert(
      fc.property(fc.integer({ min: first, max: last }), (seconds) => {
        expect(parseHttpDate(formatHttpDate(seconds * 1000))).toBe(seconds * 1000)
      }),
    )
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parsed = parseHttpDate(text)
        expect(parsed === undefined || Number.isFinite(parsed)).toBe(true)
      }),
    )
  })
})

describe('formatHttpDate', () => {
  it.each([
    [example, 'Sun, 06 Nov 1994 08:49:37 GMT'],
    [example + 999, 'Sun, 06 Nov 1994 08:49:37 GMT'],
    [0, 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ])('formats %i as %j', (milliseconds, text) => {
    expect(formatHttpDate(milliseconds)).toBe(text)
  })
})
