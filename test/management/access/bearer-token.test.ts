import fc from 'fast-check'
import { bearerToken } from 'upkeep'
import { describe, expect, it } from 'vitest'
import { requestWith } from '../../support/management-request.ts'

const withToken = (token: string) => requestWith({ authorization: `Bearer ${token}` })

describe('bearerToken', () => {
  it('authorizes exactly the token', () => {
    const authorize = bearerToken('s3cret')

    expect(authorize(withToken('s3cret'))).toEqual({ name: 'bearer' })
    expect(authorize(withToken('s3cre'))).toBeUndefined()
    expect(authorize(withToken('s3crett'))).toBeUndefined()
    expect(authorize(withToken('S3CRET'))).toBeUndefined()
    expect(authorize(requestWith({}))).toBeUndefined()
  })

  it('matches the scheme case-insensitively, and no other scheme', () => {
    const authorize = bearerToken('s3cret')

    expect(authorize(requestWith({ authorization: 'bEARER s3cret' }))).toEqual({ name: 'bearer' })
    expect(authorize(requestWith({ authorization: 'Token s3cret' }))).toBeUndefined()
    expect(authorize(requestWith({ authorization: 's3cret' }))).toBeUndefined()
  })

  it('accepts each of several tokens, for rotation', () => {
    const authorize = bearerToken(['new', undefined, 'old'])

    expect(authorize(withToken('new'))).toEqual({ name: 'bearer' })
    expect(authorize(withToken('old'))).toEqual({ name: 'bearer' })
    expect(authorize(withToken('older'))).toBeUndefined()
    expect(authorize(withToken('undefined'))).toBeUndefined()
  })

  it.each([
    ['an absent token', undefined],
    ['no tokens', []],
    ['absent tokens', [undefined, undefined]],
  ])('authorizes no request with %s', (_, token) => {
    const authorize = bearerToken(token)

    expect(authorize(withToken('undefined'))).toBeUndefined()
    expect(authorize(requestWith({ authorization: 'Bearer ' }))).toBeUndefined()
    expect(authorize(requestWith({}))).toBeUndefined()
  })

  it.each(['', 's3cret\n', 'two words', 'pässword'])(
    'refuses to be configured with %j, and does not repeat it',
    (token) => {
      expect(() => bearerToken(token)).toThrow(RangeError)
      expect(() => bearerToken(['fine', token])).toThrow(/^bearerToken: token: expected/)
      expect(() => bearerToken(token)).not.toThrow(/s3cret|two|ssword/)
    },
  )

  it('names the principal and its roles', () => {
    const authorize = bearerToken('s3cret', { name: 'prometheus', roles: ['scrape'] })

    expect(authorize(withToken('s3cret'))).toEqual({ name: 'prometheus', roles: ['scrape'] })
  })

  it('challenges for its realm', () => {
    expect(bearerToken('s3cret').challenge).toBe('Bearer realm="management"')
    expect(bearerToken(undefined).challenge).toBe('Bearer realm="management"')
    expect(bearerToken('s3cret', { realm: 'a "b" \\' }).challenge).toBe('Bearer realm="a \\"b\\" \\\\"')
    expect(() => bearerToken('s3cret', { realm: 'a\r\nSet-Cookie: b' })).toThrow(/^realm: expected printable ASCII/)
  })

  it('authorizes exactly the configured tokens', () => {
    const tokens = fc.array(fc.stringMatching(/^[\w.~+/-]{1,40}$/), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(tokens, fc.stringMatching(/^[\w.~+/-]{1,40}$/), (known, presented) => {
        const authorize = bearerToken(known)
        for (const token of known) {
          expect(authorize(withToken(token))).toEqual({ name: 'bearer' })
        }
        expect(authorize(withToken(presented)) !== undefined).toBe(known.includes(presented))
      }),
    )
  })
})
