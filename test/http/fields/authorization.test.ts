import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAuthorization } from '../../../src/http/fields/authorization.ts'

describe('parseAuthorization', () => {
  it.each([
    ['Bearer abc', 'bearer', 'abc'],
    ['BEARER abc', 'bearer', 'abc'],
    ['Bearer   abc', 'bearer', 'abc'],
    [' Bearer abc\t', 'bearer', 'abc'],
    ['Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==', 'basic', 'QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
    ['Digest username="Mufasa", realm="x"', 'digest', 'username="Mufasa", realm="x"'],
  ])('parses %j', (field, scheme, credentials) => {
    expect(parseAuthorization(field)).toEqual({ scheme, credentials })
  })

  it.each([undefined, '', 'Bearer', 'Bearer ', ' ', 'Bea(rer abc', 'Bearer\tabc'])(
    'returns undefined for %j',
    (field) => {
      expect(parseAuthorization(field)).toBeUndefined()
    },
  )

  it('accepts a single field in a list, and rejects two', () => {
    expect(parseAuthorization(['Bearer abc'])).toEqual({ scheme: 'bearer', credentials: 'abc' })
    expect(parseAuthorization(['Bearer abc', 'Bearer abc'])).toBeUndefined()
    expect(parseAuthorization([])).toBeUndefined()
  })

  it('never throws', () => {
    expect(parseAuthorization(`Bearer ${' '.repeat(1e6)}\n`)).toBeUndefined()
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary-ascii' }).map((text) => `Bearer ${text}`),
        ),
        (field) => {
          const parsed = parseAuthorization(field)
          expect(parsed === undefined || parsed.credentials.trim() !== '').toBe(true)
        },
      ),
    )
  })
})
