import type { ManagementOptions } from 'upkeep'
import { HttpError } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { useFakeTime } from '../../support/fake-time.ts'
import { createManagementClient } from '../../support/management-client.ts'

const clock = useFakeTime()
const health = '/management/health'
const groups = ['liveness', 'readiness']
const states = { livenessState: { status: 'UP' }, readinessState: { status: 'UP' } }
const bare = { status: 'UP', groups }
const outline = { status: 'UP', components: { db: { status: 'UP' }, ...states }, groups }
const full = { status: 'UP', components: { db: { status: 'UP', details: { a: 1 } }, ...states }, groups }

const known = { headers: { authorization: 'Bearer alice' } }
const authorize: ManagementOptions['authorize'] = async ({ headers }) =>
  headers['authorization'] === 'Bearer alice' ? { name: 'alice' } : undefined

const shown = (view: object, options: ManagementOptions = { authorize }) =>
  createManagementClient({
    clock,
    ...options,
    health: { indicators: { db: () => ({ status: 'UP', details: { a: 1 } }) }, ...view },
  })

describe('the visibility of health', () => {
  it.each([
    [{}, bare, bare],
    [{ showDetails: 'never' }, bare, bare],
    [{ showDetails: 'when-authorized' }, bare, full],
    [{ showDetails: 'always' }, full, full],
    [{ showComponents: 'always' }, outline, outline],
    [{ showComponents: 'when-authorized' }, bare, outline],
    [{ showComponents: 'always', showDetails: 'when-authorized' }, outline, full],
    [{ showComponents: 'never', showDetails: 'always' }, bare, bare],
  ])('by %j', async (view, toStranger, toAcquaintance) => {
    const { send } = shown(view)
    expect((await send(health)).json).toEqual(toStranger)
    expect((await send(health, known)).json).toEqual(toAcquaintance)
    expect((await send(health, { headers: { authorization: 'Bearer mallory' } })).json).toEqual(toStranger)
  })

  it.each([
    [{ showDetails: 'when-authorized' }, 'health.showDetails'],
    [{ showDetails: 'always', showComponents: 'when-authorized' }, 'health.showComponents'],
    [{ groups: { slow: { showDetails: 'when-authorized' } } }, 'health.groups.slow.showDetails'],
  ] as const)('is refused where %j shows it to nobody, without authorize', (options, path) => {
    expect(() => shown(options, {})).toThrow(
      new TypeError(
        `createManagement: ${path}: expected "never" or "always" without the option "authorize", such ` +
          'as bearerToken(process.env.MANAGEMENT_TOKEN), received "when-authorized"',
      ),
    )
  })

  it.each([
    [{ showDetails: 'when-authorized' }, 404, undefined, 200, { status: 'UP', details: { a: 1 } }],
    [
      { showComponents: 'always', showDetails: 'when-authorized' },
      200,
      { status: 'UP' },
      200,
      { status: 'UP', details: { a: 1 } },
    ],
    [{ showComponents: 'never', showDetails: 'always' }, 404, undefined, 404, undefined],
    [{}, 404, undefined, 404, undefined],
  ])('of one component by %j', async (view, toStranger, strangerSees, toAcquaintance, acquaintanceSees) => {
    const { send } = shown(view)
    const [stranger, acquaintance] = [await send(`${health}/db`), await send(`${health}/db`, known)]
    expect([stranger.status, acquaintance.status]).toEqual([toStranger, toAcquaintance])
    if (strangerSees) expect(stranger.json).toEqual(strangerSees)
    if (acquaintanceSees) expect(acquaintance.json).toEqual(acquaintanceSees)
  })

  it('does not distinguish hidden components from unknown ones', async () => {
    const { send } = shown({ showDetails: 'when-authorized' })
    const documents = await Promise.all(['db', 'ab'].map(async (name) => (await send(`${health}/${name}`)).json))
    expect(documents[0]).toEqual({ ...(documents[1] as object), instance: `${health}/db` })
  })

  it('is kept apart from the result that is kept', async () => {
    const { send } = shown({ showDetails: 'when-authorized' })
    expect((await send(health, known)).json).toEqual(full)
    expect((await send(health)).json).toEqual(bare)
    expect((await send(health, known)).json).toEqual(full)
  })
})

describe('roles', () => {
  const people: Record<string, { name: string; roles?: string[] }> = {
    alice: { name: 'alice' },
    dave: { name: 'dave', roles: ['dev'] },
    olga: { name: 'olga', roles: ['ops', 'dev'] },
  }
  const byName: ManagementOptions['authorize'] = ({ headers }) => people[String(headers['authorization'])]
  const as = (authorization: string) => ({ headers: { authorization } })
  const { send } = shown(
    {
      showDetails: 'when-authorized',
      roles: ['ops'],
      groups: { inherits: { include: ['db'] }, own: { include: ['db'], roles: ['dev'] } },
    },
    { authorize: byName },
  )
  const isShown = async (path: string, name: string) =>
    'components' in ((await send(health + path, as(name))).json as object)

  it.each([
    ['', ['olga']],
    ['/inherits', ['olga']],
    ['/own', ['dave', 'olga']],
  ])('of health%s say whom when-authorized is for: %j', async (path, visible) => {
    for (const name of ['nobody', ...Object.keys(people), ...Object.keys(people)]) {
      expect([name, await isShown(path, name)]).toEqual([name, visible.includes(name)])
    }
  })
})

describe('an authorize that fails', () => {
  const failing: readonly [string, ManagementOptions['authorize']][] = [
    [
      'throws',
      () => {
        throw new Error('no directory')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no directory'))],
  ]

  it.each(failing)('(%s) loses the details only, and is reported', async (_, failingAuthorize) => {
    const report = vi.fn()
    const { send } = shown({ showDetails: 'when-authorized' }, { authorize: failingAuthorize, report })
    expect(await send(health, known)).toMatchObject({ status: 200, json: bare })
    expect(report.mock.calls).toEqual([['authorize failed', new Error('no directory')]])
  })

  it('with an HttpError refuses the caller', async () => {
    const refusal = new HttpError(401, 'The token has expired.', { headers: { 'WWW-Authenticate': 'Bearer' } })
    const { send } = shown({ showDetails: 'when-authorized' }, { authorize: () => Promise.reject(refusal) })
    expect(await send(health)).toMatchObject({
      status: 401,
      headers: { 'WWW-Authenticate': 'Bearer' },
      json: { detail: 'The token has expired.' },
    })
  })

  it('is called once per request', async () => {
    const identify = vi.fn(() => ({ name: 'alice' }))
    const { send } = shown({ showDetails: 'when-authorized' }, { authorize: identify })
    await send(health)
    await send(`${health}/db`)
    expect(identify).toHaveBeenCalledTimes(2)
  })
})
