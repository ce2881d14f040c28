import { type Authorize, HttpError } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { identify, requirePrincipal } from '../../src/http/authorize.ts'
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
