import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatContentRange, type RangedState, selectRange } from '../../../src/http/conventions/ranges.ts'

const date = 'Sun, 06 Nov 1994 08:49:37 GMT'
const state: RangedState = {
  size: 1_000,
  entityTag: { weak: false, opaque: 'a' },
  lastModified: Date.parse(date) + 123,
  now: Date.parse(date) + 5_000,
}

describe('selectRange', () => {
  it.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-499', { first: 0, last: 499 }],
    ['bytes=900-2000', { first: 900, last: 999 }],
    ['bytes=999-', { first: 999, last: 999 }],
    ['bytes=-1', { first: 999, last: 999 }],
    ['bytes=-2000', { first: 0, last: 999 }],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=1000-2000', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['lines=0-1', 'whole'],
  ])('%s of 1000 bytes is %j', (range, expected) => {
    expect(selectRange('GET', { range }, state)).toEqual(expected)
  })

  it.each(['bytes=0-', 'bytes=-1', 'bytes=0-0'])('%s of no bytes is unsatisfiable', (range) => {
    expect(selectRange('GET', { range }, { ...state, size: 0 })).toBe('unsatisfiable')
  })

  it('ignores the field for methods other than GET, and if it is missing', () => {
    expect(selectRange('HEAD', { range: 'bytes=0-1' }, state)).toBe('whole')
    expect(selectRange('POST', { range: 'bytes=0-1' }, state)).toBe('whole')
    expect(selectRange('GET', {}, state)).toBe('whole')
  })

  // RFC 9110 §13.1.5
  it.each<[string, Partial<RangedState>, boolean]>([
    ['"a"', {}, true],
    ['"b"', {}, false],
    ['W/"a"', {}, false],
    ['"a"', { entityTag: { weak: true, opaque: 'a' } }, false],
    ['"a"', { entityTag: undefined }, false],
    ['"a", "b"', {}, false],
    [date, {}, true],
    [date, { now: Date.parse(date) + 500 }, false],
    [date, { lastModified: undefined }, false],
    [date, { lastModified: Date.parse(date) - 1_000 }, false],
    ['Sun, 06 Nov 1994 08:49:38 GMT', {}, false],
    ['yesterday', {}, false],
    ['', {}, false],
  ])('If-Range: %s with %j selects a part: %s', (ifRange, other, isPart) => {
    const selected = selectRange('GET', { range: 'bytes=0-1', 'if-range': ifRange }, { ...state, ...other })
    expect(selected).toEqual(isPart ? { first: 0, last: 1 } : 'whole')
  })

  it('selects bytes that exist, for every range and size', () => {
    const position = fc.option(fc.nat(30), { nil: '' })
    fc.assert(
      fc.property(position, position, fc.nat(20), (first, last, size) => {
        const selected = selectRange('GET', { range: `bytes=${first}-${last}` }, { ...state, size })
        if (typeof selected === 'string') return
        expect(selected.first).toBeGreaterThanOrEqual(0)
        expect(selected.last).toBeGreaterThanOrEqual(selected.first)
        expect(selected.last).toBeLessThan(size)
      }),
    )
  })
})

it('formatContentRange has the part and the size', () => {
  expect(formatContentRange({ first: 42, last: 1233 }, 1234)).toBe('bytes 42-1233/1234')
  expect(formatContentRange('unsatisfiable', 1234)).toBe('bytes */1234')
})
