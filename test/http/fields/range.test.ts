import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRange } from '../../../src/http/fields/range.ts'

const from = (first: number, last?: number) => ({ kind: 'from', first, last })
const suffix = (length: number) => ({ kind: 'suffix', length })

describe('parseRange', () => {
  // RFC 9110 §14.1.2
  it.each([
    ['bytes=0-499', [from(0, 499)]],
    ['bytes=500-999', [from(500, 999)]],
    ['bytes=-500', [suffix(500)]],
    ['bytes=9500-', [from(9500)]],
    ['bytes=0-0,-1', [from(0, 0), suffix(1)]],
    ['bytes= 0-999, 4500-5499, -1000', [from(0, 999), from(4500, 5499), suffix(1000)]],
    ['bytes=500-600,601-999', [from(500, 600), from(601, 999)]],
    ['bytes=-0', [suffix(0)]],
    ['BYTES=1-2', [from(1, 2)]],
    ['bytes=,1-2,', [from(1, 2)]],
  ])('%s', (text, ranges) => {
    expect(parseRange(text)).toEqual(ranges)
  })

  it.each([
    'bytes=5-2',
    'bytes=0-1,5-2',
    'bytes=x',
    'bytes=-',
    'bytes=',
    'bytes=1',
    'bytes=1-2-3',
    'bytes=+1-2',
    'bytes=1 - 2',
    'bytes=0x1-2',
    `bytes=${'9'.repeat(16)}-`,
    'bytes 1-2',
    'lines=0-1',
    '',
    `bytes=${'0-0,'.repeat(17)}`,
  ])('returns undefined for %s', (text) => {
    expect(parseRange(text)).toBeUndefined()
  })

  it('returns ranges whose last byte does not precede the first one, for any text', () => {
    const piece = fc.constantFrom('bytes=', '-', ',', '0', '1', '99', ' ', 'x')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        for (const range of parseRange(pieces.join('')) ?? []) {
          if (range.kind === 'from') expect(range.last ?? range.first).toBeGreaterThanOrEqual(range.first)
          else expect(range.length).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})
