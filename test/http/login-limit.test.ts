import { describe, expect, it } from 'vitest'
import type { Authorize, Principal } from '../../src/http/authorize.ts'
import { HttpError } from '../../src/http/errors/http-error.ts'
import { LoginLimitError } from '../../src/http/errors/login-limit-error.ts'
import { limitFailedLogins, networkOf } from '../../src/http/login-limit.ts'
import type { ManagementRequest } from '../../src/http/message.ts'
import { createManualClock } from '../support/manual-clock.ts'

const principal: Principal = { name: 'ops' }

function requestOf(
  authorization: string | undefined,
  remoteAddress: string | undefined = '192.0.2.1',
): ManagementRequest {
  const headers = authorization === undefined ? {} : { authorization }
  return {
    method: 'GET',
    target: '/',
    headers,
    body: () => ({ kind: 'parsed', value: undefined }),
    base: '',
    remoteAddress,
  }
}

function setUp(authorize: Authorize = ({ headers }) => (headers['authorization'] === 'right' ? principal : undefined)) {
  const clock = createManualClock()
  const limited = limitFailedLogins(authorize, clock, (secret) => secret)
  /** `limited`, the error, or what `authorize` returns. */
  const log = async (authorization?: string, remoteAddress?: string) => {
    try {
      return await limited(requestOf(authorization, remoteAddress))
    } catch (error) {
      return error instanceof LoginLimitError ? 'limited' : error
    }
  }
  let guesses = 0
  const fail = async (times: number, remoteAddress?: string) => {
    const results = new Map<unknown, number>()
    for (let attempt = 0; attempt < times; attempt += 1) {
      guesses += 1
      const result = await log(`guess ${guesses}`, remoteAddress)
      results.set(result, (results.get(result) ?? 0) + 1)
    }
    return Object.fromEntries(results)
  }
  return { clock, log, fail, limited }
}

describe('limitFailedLogins', () => {
  it('limits the failed logins of an address to 20, and one more each 3 seconds', async () => {
    const { fail, clock } = setUp()
    expect(await fail(25)).toEqual({ undefined: 20, limited: 5 })
    clock.advance(9_000)
    expect(await fail(25)).toEqual({ undefined: 3, limited: 22 })
  })

  it('does not limit other addresses, nor credentials that were accepted before from any address', async () => {
    const { log, fail } = setUp()
    await log('right', '192.0.2.7')
    await fail(25)
    expect([await log('right'), await log('guess', '192.0.2.2')]).toEqual([principal, undefined])
  })

  it('limits credentials that were never accepted, so that a guess is not confirmed', async () => {
    const { log, fail } = setUp()
    await fail(25)
    expect(await log('right')).toBe('limited')
  })

  it('limits credentials again that are no longer accepted', async () => {
    let isValid = true
    const { log, fail } = setUp(() => (isValid ? principal : undefined))
    await log('old')
    isValid = false
    await fail(25)
    expect([await log('old'), await log('old')]).toEqual([undefined, 'limited'])
  })

  it('counts a result that is no principal as a failed login', async () => {
    const { fail } = setUp((() => []) as never)
    expect(await fail(25)).toMatchObject({ limited: 5 })
  })

  it('does not count successful logins', async () => {
    const { log } = setUp(() => principal)
    for (let attempt = 0; attempt < 50; attempt += 1) expect(await log(`user ${attempt}`)).toBe(principal)
  })

  it('does not count the same wrong credentials again: they are no guess', async () => {
    const { log, fail, limited } = setUp()
    for (let attempt = 0; attempt < 50; attempt += 1) expect(await log('old token')).toBe(undefined)
    expect(await fail(25)).toEqual({ undefined: 19, limited: 6 })
    expect(await log('old token')).toBe('limited')
    expect(limited(requestOf('old token', '192.0.2.2'))).toBe(undefined)
  })

  it('limits logins that are sent at the same time', async () => {
    const { log } = setUp(async () => undefined)
    const results = await Promise.all(Array.from({ length: 30 }, (_, attempt) => log(`guess ${attempt}`)))
    expect(results.filter((result) => result === 'limited')).toHaveLength(10)
  })

  it('does not count what failed without a decision', async () => {
    const away = new Error('the directory is away')
    const { fail } = setUp(async () => {
      throw away
    })
    expect(await fail(30)).toEqual({ [String(away)]: 30 })
  })

  it('passes on what authorize throws at once, and does not count it either', async () => {
    const away = new Error('the directory is away')
    const { fail } = setUp(() => {
      throw away
    })
    expect(await fail(30)).toEqual({ [String(away)]: 30 })
  })

  it('counts an HttpError of authorize as a failed login', async () => {
    const expired = new HttpError(401, 'The token has expired.')
    const { fail } = setUp(() => {
      throw expired
    })
    expect(await fail(25)).toEqual({ [String(expired)]: 20, limited: 5 })
  })

  it('says when the next login is possible', async () => {
    const { fail, limited } = setUp()
    await fail(20)
    expect(() => limited(requestOf('guess'))).toThrow(
      expect.objectContaining({
        status: 429,
        message: 'Too many failed logins from this address.',
        headers: { 'Retry-After': '3' },
      }),
    )
  })

  it('does not limit requests without Authorization, nor from an unknown address', async () => {
    const { limited } = setUp()
    for (let attempt = 0; attempt < 30; attempt += 1) {
      expect(limited(requestOf(undefined))).toBe(undefined)
      expect(limited({ ...requestOf('guess'), remoteAddress: undefined })).toBe(undefined)
    }
  })

  it('keeps 1,000 addresses at most: the one that was not used for longest is limited anew', async () => {
    const { fail, log } = setUp()
    await fail(20, '192.0.2.1')
    for (let host = 0; host < 1_000; host += 1) await log('guess', `198.51.100.${host}`)
    expect(await log('guess', '192.0.2.1')).toBe(undefined)
  })

  it('keeps the challenge', () => {
    const { limited } = setUp(Object.assign(() => undefined, { challenge: 'Basic realm="ops"' }))
    expect(limited.challenge).toBe('Basic realm="ops"')
  })
})

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['1:2:3:4:5::', '1:2:3:4'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
