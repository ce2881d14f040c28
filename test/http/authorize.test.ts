import { type Authorize, HttpError } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { identify, requirePrincipal } from '../../src/http/authorize.ts'
import { requestWith } from '../support/management-request.ts'

const request = requestWith({})
const alice = { name: 'alice' }
const knowAlice: Authorize = () => alice
const knowNobody: Authorize = async () => undefined
const silent = () => {}

describe('identify', () => {
  it.each([
    ['whom authorize knows', knowAlice, alice],
    ['nobody whom authorize does not know', knowNobody, undefined],
    ['nobody where there is no authorize', undefined, undefined],
  ])('knows %s', async (_, authorize, principal) => {
    expect(await identify(request, authorize, silent)).toBe(principal)
  })

  it('hands the request to authorize', async () => {
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
  ])('knows nobody when authorize %s, and tells', async (_, authorize) => {
    const report = vi.fn()
    expect(await identify(request, authorize, report)).toBeUndefined()
    expect(report.mock.calls).toEqual([['authorize failed', new Error('no directory')]])
  })

  it.each([null, false, true, 'alice'])('knows nobody when authorize answers %j', async (answer) => {
    expect(await identify(request, async () => answer as never, silent)).toBeUndefined()
    expect(identify(request, () => answer as never, silent)).toBeUndefined()
  })

  it('lets authorize refuse', async () => {
    const refusal = new HttpError(401, 'The token has expired.')
    await expect(identify(request, () => Promise.reject(refusal), silent)).rejects.toBe(refusal)
  })
})

describe('demandPrincipal', () => {
  const ops = { name: 'olga', roles: ['dev', 'ops'] }

  it.each([
    [ops, ['ops']],
    [ops, ['admin', 'dev']],
  ])('is %j where one of the roles %j is enough', (principal, roles) => {
    expect(requirePrincipal(request, () => principal, { roles })).toBe(principal)
  })

  it.each([
    [alice, ['ops']],
    [{ name: 'mallory', roles: [] }, ['ops']],
    [{ name: 'mallory', roles: ['devops'] }, ['ops']],
    [{ name: 'mallory', roles: 'devops' as unknown as string[] }, ['ops']],
  ])('is refused with 403 and a challenge where %j has none of the roles %j', async (principal, roles) => {
    await expect(requirePrincipal(request, async () => principal, { roles })).rejects.toMatchObject({
      status: 403,
      message: 'Insufficient permissions.',
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
  })

  it.each([null, false, true, '', 'alice', 1])(
    'is refused with 401 where authorize answers %j, which is nobody',
    (answer) => {
      expect(() => requirePrincipal(request, () => answer as never, 'authorized')).toThrow('Authentication required.')
    },
  )

  it('waits for whatever is a promise', async () => {
    // biome-ignore lint/suspicious/noThenProperty: a promise that is not of the language's own
    const thenable = { then: (resolve: (principal: object) => void) => resolve(alice) }
    expect(await requirePrincipal(request, () => thenable as never, 'authorized')).toBe(alice)
  })

  it('is who is known', async () => {
    expect(await requirePrincipal(request, knowAlice, 'authorized')).toBe(alice)
  })

  it('is refused with 401 and a challenge where nobody is known', async () => {
    await expect(requirePrincipal(request, knowNobody, 'authorized')).rejects.toMatchObject({
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

  it('is refused with 403 where nobody ever can be known', () => {
    expect(() => requirePrincipal(request, undefined, 'authorized')).toThrow(
      expect.objectContaining({ status: 403, message: 'Forbidden: authorization is not configured.' }),
    )
  })

  it('fails as authorize does', async () => {
    const failure = new Error('no directory')
    await expect(requirePrincipal(request, () => Promise.reject(failure), 'authorized')).rejects.toBe(failure)
  })
})
