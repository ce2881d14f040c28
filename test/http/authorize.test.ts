import { type Authorize, HttpError } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { identify, reportUnusable, requirePrincipal } from '../../src/http/authorize.ts'
import { LoginLimitError } from '../../src/http/errors/login-limit-error.ts'
import { requestWith } from '../support/management-request.ts'

const request = requestWith({})
const alice = { name: 'alice' }
const knowAlice: Authorize = () => alice
const rejectEveryone: Authorize = async () => undefined
const silent = () => {}

describe('identify', () => {
  it.each([
    ['an authorize with a known caller', knowAlice, alice],
    ['an authorize without a known caller', rejectEveryone, undefined],
    ['no authorize, which is undefined', undefined, undefined],
  ])('returns the result of %s', async (_, authorize, principal) => {
    expect(await identify(request, authorize, silent)).toBe(principal)
  })

  it('passes the request to authorize', async () => {
    const authorize = vi.fn(() => undefined)
    await identify(request, authorize, silent)
    expect(authorize.mock.calls).toEqual([[request]])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no directory')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no directory'))],
  ])('returns undefined and reports when authorize %s', async (_, authorize) => {
    const report = vi.fn()
    expect(await identify(request, authorize, report)).toBeUndefined()
    expect(report.mock.calls).toEqual([['authorize failed', new Error('no directory')]])
  })

  it.each([null, false, true, 'alice'])('returns undefined when authorize returns %j', async (answer) => {
    expect(await identify(request, async () => answer as never, silent)).toBeUndefined()
    expect(identify(request, () => answer as never, silent)).toBeUndefined()
  })

  it('rejects with an HttpError of authorize', async () => {
    const refusal = new HttpError(401, 'The token has expired.')
    await expect(identify(request, () => Promise.reject(refusal), silent)).rejects.toBe(refusal)
    const refuse = () => {
      throw refusal
    }
    expect(() => identify(request, refuse, silent)).toThrow(refusal)
  })

  it('returns undefined after too many failed logins, which is no failure to report', async () => {
    const report = vi.fn()
    const limit = () => {
      throw new LoginLimitError(3)
    }
    expect(identify(request, limit, report)).toBeUndefined()
    expect(await identify(request, async () => limit(), report)).toBeUndefined()
    expect(report).not.toHaveBeenCalled()
  })

  it('reports nothing without authorize', () => {
    const report = vi.fn()
    expect(identify(request, undefined, report)).toBeUndefined()
    expect(report).not.toHaveBeenCalled()
  })
})

describe('requirePrincipal', () => {
  const ops = { name: 'olga', roles: ['dev', 'ops'] }

  it.each([
    [ops, ['ops']],
    [ops, ['admin', 'dev']],
  ])('returns %j, which has one of the roles %j', (principal, roles) => {
    expect(requirePrincipal(request, () => principal, { roles })).toBe(principal)
  })

  it.each([
    [alice, ['ops']],
    [{ name: 'mallory', roles: [] }, ['ops']],
    [{ name: 'mallory', roles: ['devops'] }, ['ops']],
    [{ name: 'mallory', roles: 'devops' as unknown as string[] }, ['ops']],
  ])('rejects with 403 and a challenge if %j has none of the roles %j', async (principal, roles) => {
    await expect(requirePrincipal(request, async () => principal, { roles })).rejects.toMatchObject({
      status: 403,
      message: 'Insufficient permissions.',
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
  })

  it.each([null, false, true, '', 'alice', 1])('throws 401 when authorize returns %j', (answer) => {
    expect(() => requirePrincipal(request, () => answer as never, 'authorized')).toThrow('Authentication required.')
  })

  it('accepts a thenable', async () => {
    // biome-ignore lint/suspicious/noThenProperty: a thenable other than Promise
    const thenable = { then: (resolve: (principal: object) => void) => resolve(alice) }
    expect(await requirePrincipal(request, () => thenable as never, 'authorized')).toBe(alice)
  })

  it('returns the authenticated caller', async () => {
    expect(await requirePrincipal(request, knowAlice, 'authorized')).toBe(alice)
  })

  it('rejects with 401 and a challenge for an unknown caller', async () => {
    await expect(requirePrincipal(request, rejectEveryone, 'authorized')).rejects.toMatchObject({
      status: 401,
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
    const challenge = 'Basic realm="management"'
    const authorize = Object.assign(() => undefined, { challenge })
    expect(() => requirePrincipal(request, authorize, 'authorized')).toThrow(
      expect.objectContaining({
        status: 401,
        message: 'Authentication required.',
        headers: { 'WWW-Authenticate': challenge },
      }),
    )
  })

  it('throws 403 without authorize', () => {
    expect(() => requirePrincipal(request, undefined, 'authorized')).toThrow(
      expect.objectContaining({ status: 403, message: 'Forbidden: authorization is not configured.' }),
    )
  })

  it('rejects with the error of authorize', async () => {
    const failure = new Error('no directory')
    await expect(requirePrincipal(request, () => Promise.reject(failure), 'authorized')).rejects.toBe(failure)
  })
})

describe('the challenge of a 401', () => {
  const challengeOf = (challenge: string | undefined, authorization: string | undefined): unknown => {
    const authorize = Object.assign(() => undefined, { challenge })
    try {
      return requirePrincipal(requestWith({ authorization }), authorize, 'authorized')
    } catch (error) {
      return (error as HttpError).headers['WWW-Authenticate']
    }
  }

  it.each([
    [undefined, 'Bearer', 'Bearer error="invalid_token"'],
    ['bearer', 'Bearer', 'bearer error="invalid_token"'],
    ['Bearer realm="ops"', 'Bearer', 'Bearer realm="ops", error="invalid_token"'],
    ['Bearer realm="a \\" b", scope=c', 'Bearer', 'Bearer realm="a \\" b", scope=c, error="invalid_token"'],
  ])('%j says to a client with a token that it is invalid', (challenge, scheme, expected) => {
    expect(challengeOf(challenge, `${scheme} abc`)).toBe(expected)
  })

  it.each([
    ['Bearer realm="ops"', undefined],
    ['Bearer realm="ops"', 'Basic YTpi'],
    ['Basic realm="ops"', 'Bearer abc'],
    ['Bearer realm="ops", Basic realm="ops"', 'Bearer abc'],
    ['Bearer realm="ops", error="insufficient_scope"', 'Bearer abc'],
    ['Bearer error="invalid_request"', 'Bearer abc'],
    ['Bearer realm="ops', 'Bearer abc'],
  ])('%j is sent unchanged to a client with the credentials %j', (challenge, authorization) => {
    expect(challengeOf(challenge, authorization)).toBe(challenge)
  })
})

describe('reportUnusable', () => {
  const expected = "authorize: the caller counts as unknown: expected a principal such as { name: 'ops' }, or undefined"

  it.each([
    ['true', true],
    ['a string', 'alice'],
    ['an empty array', []],
  ])('reports %s once, and returns it', async (received, result) => {
    const report = vi.fn()
    const now = reportUnusable(() => result as never, report)
    expect([now(request), now(request)]).toEqual([result, result])
    const later = reportUnusable(async () => result as never, report)
    expect(await later(request)).toBe(result)
    const message = `${expected}, received ${received}`
    expect(report.mock.calls).toEqual([[message], [message]])
  })

  it.each([[alice], [undefined], [null], [false]])('does not report %j', async (result) => {
    const report = vi.fn()
    expect(reportUnusable(() => result as never, report)(request)).toBe(result)
    expect(await reportUnusable(async () => result as never, report)(request)).toBe(result)
    expect(report).not.toHaveBeenCalled()
  })

  it('keeps the challenge and the explicit credential', () => {
    const hasExplicitCredential = () => true
    const authorize = Object.assign(() => undefined, { challenge: 'Basic realm="ops"', hasExplicitCredential })
    const checked = reportUnusable(authorize, silent)
    expect([checked.challenge, checked.hasExplicitCredential]).toEqual(['Basic realm="ops"', hasExplicitCredential])
  })
})
