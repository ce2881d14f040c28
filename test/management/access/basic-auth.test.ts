import fc from 'fast-check'
import { basicAuth } from 'upkeep'
import { describe, expect, it } from 'vitest'
import { requestWith } from '../../support/management-request.ts'

const withBytes = (bytes: Buffer) => requestWith({ authorization: `Basic ${bytes.toString('base64')}` })
const withPassword = (username: string, password: string) => withBytes(Buffer.from(`${username}:${password}`))

describe('basicAuth', () => {
  it('authorizes the example of RFC 7617 §2', () => {
    const authorize = basicAuth({ username: 'Aladdin', password: 'open sesame' })

    expect(authorize(requestWith({ authorization: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==' }))).toEqual({ name: 'Aladdin' })
    expect(authorize(requestWith({ authorization: 'basic QWxhZGRpbjpvcGVuIHNlc2FtZQ' }))).toEqual({ name: 'Aladdin' })
    expect(authorize(requestWith({ authorization: 'Bearer QWxhZGRpbjpvcGVuIHNlc2FtZQ==' }))).toBeUndefined()
  })

  it('authorizes the example of RFC 7617 §2.1 in UTF-8, and not in Latin-1', () => {
    const authorize = basicAuth({ username: 'test', password: '123£' })

    expect(authorize(requestWith({ authorization: 'Basic dGVzdDoxMjPCow==' }))).toEqual({ name: 'test' })
    expect(authorize(withBytes(Buffer.from('test:123£', 'latin1')))).toBeUndefined()
  })

  it('reads a password that holds colons', () => {
    expect(basicAuth({ username: 'ops', password: 'a:b:' })(withPassword('ops', 'a:b:'))).toEqual({ name: 'ops' })
  })

  it('accepts a password in any Unicode normalization form', () => {
    const authorize = basicAuth({ username: 'ops', password: 'p\u00e4ss' })

    expect(authorize(withPassword('ops', 'pa\u0308ss'))).toEqual({ name: 'ops' })
  })

  it('does not take the password of another user', () => {
    const authorize = basicAuth([
      { username: 'ops', password: 'one', roles: ['operator'] },
      { username: 'dev', password: 'two' },
      { username: 'ops', password: 'three' },
    ])

    expect(authorize(withPassword('ops', 'one'))).toEqual({ name: 'ops', roles: ['operator'] })
    expect(authorize(withPassword('dev', 'two'))).toEqual({ name: 'dev' })
    expect(authorize(withPassword('ops', 'three'))).toEqual({ name: 'ops' })
    expect(authorize(withPassword('ops', 'two'))).toBeUndefined()
    expect(authorize(withPassword('dev', 'one'))).toBeUndefined()
  })

  it('authorizes no request without a password', () => {
    const authorize = basicAuth({ username: 'ops', password: undefined })

    expect(authorize(withPassword('ops', ''))).toBeUndefined()
    expect(authorize(withPassword('ops', 'undefined'))).toBeUndefined()
    expect(basicAuth([])(withPassword('', ''))).toBeUndefined()
  })

  it.each(['', '%%%', 'b3Bz', '/w==', 'b3BzOm9uZQ==, x', 'b3Bz OjE='])('reads no user out of %j', (credentials) => {
    expect(
      basicAuth({ username: 'ops', password: 'one' })(requestWith({ authorization: `Basic ${credentials}` })),
    ).toBeUndefined()
  })

  it.each([
    [{ username: '', password: 'one' }, /^basicAuth: username/],
    [{ username: 'a:b', password: 'one' }, /^basicAuth: username: .*"a:b"/],
    [{ username: 'a\n', password: 'one' }, /^basicAuth: username/],
    [{ username: 'ops', password: '' }, /^basicAuth: password: expected a non-empty string, or undefined/],
    [{ username: 'ops', password: 'one\n' }, /^basicAuth: password: expected no control characters/],
  ])('refuses to be configured with %j', (user, message) => {
    expect(() => basicAuth(user)).toThrow(message)
    expect(() => basicAuth(user)).toThrow(RangeError)
  })

  it('has a challenge with the realm and the charset UTF-8', () => {
    expect(basicAuth([]).challenge).toBe('Basic realm="management", charset="UTF-8"')
    expect(basicAuth([], { realm: 'ops' }).challenge).toBe('Basic realm="ops", charset="UTF-8"')
  })

  it('authorizes exactly the configured users', () => {
    const word = fc.stringMatching(/^[\wäöü€ ]{1,12}$/)
    fc.assert(
      fc.property(fc.dictionary(word, word, { minKeys: 1 }), word, word, (known, username, password) => {
        const authorize = basicAuth(
          Object.entries(known).map(([name, secret]) => ({ username: name, password: secret })),
        )
        for (const [name, secret] of Object.entries(known)) {
          expect(authorize(withPassword(name, secret))).toEqual({ name })
        }
        expect(authorize(withPassword(username, password)) !== undefined).toBe(
          Object.hasOwn(known, username) && known[username] === password,
        )
      }),
    )
  })
})
