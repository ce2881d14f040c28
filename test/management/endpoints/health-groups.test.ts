import { describe, expect, it, vi } from 'vitest'
import { useFakeTime } from '../../support/fake-time.ts'
import { createManagementClient } from '../../support/management-client.ts'

const clock = useFakeTime()
const up = () => 'UP'
const down = () => 'DOWN'
const health = '/management/health'

describe('the probes', () => {
  it('are UP initially, without further members', async () => {
    const { send } = createManagementClient({ clock, health: { showDetails: 'always' } })
    for (const probe of ['liveness', 'readiness']) {
      expect(await send(`${health}/${probe}`)).toMatchObject({ status: 200, body: '{"status":"UP"}' })
    }
    expect((await send(`${health}/liveness/livenessState`)).status).toBe(404)
  })

  it('follow their own availability state immediately', async () => {
    const { management, send } = createManagementClient({ clock })
    const probes = async () => {
      const responses = await Promise.all(['liveness', 'readiness'].map((probe) => send(`${health}/${probe}`)))
      return responses.map(({ status, body }) => [status, body])
    }
    management.availability.refuseTraffic('draining')
    expect(await probes()).toEqual([
      [200, '{"status":"UP"}'],
      [503, '{"status":"OUT_OF_SERVICE"}'],
    ])
    management.availability.acceptTraffic()
    expect(await probes()).toEqual([
      [200, '{"status":"UP"}'],
      [200, '{"status":"UP"}'],
    ])
    management.availability.markBroken(new Error('out of handles'))
    expect(await probes()).toEqual([
      [503, '{"status":"DOWN"}'],
      [200, '{"status":"UP"}'],
    ])
  })

  it('show the reason in the components of health', async () => {
    const { management, send } = createManagementClient({ clock, health: { showDetails: 'always' } })
    management.availability.refuseTraffic('draining')
    expect((await send(`${health}/readinessState`)).json).toEqual({
      status: 'OUT_OF_SERVICE',
      details: { reason: 'draining' },
    })
  })

  it('run no other component, and do not identify the caller', async () => {
    const [check, authorize] = [vi.fn(down), vi.fn(() => new Promise<never>(() => {}))]
    const { send } = createManagementClient({
      clock,
      authorize,
      health: { indicators: { db: check }, showDetails: 'when-authorized', order: ['UP'], httpMapping: { UP: 500 } },
    })
    expect((await send(`${health}/liveness`)).status).toBe(200)
    expect((await send(`${health}/readiness`)).status).toBe(200)
    expect([check.mock.calls, authorize.mock.calls]).toEqual([[], []])
  })

  it('can have more members, and then do as health does', async () => {
    const { send } = createManagementClient({
      clock,
      health: {
        indicators: { db: down },
        groups: { readiness: { include: ['readinessState', 'db'] } },
        showComponents: 'always',
        httpMapping: { DOWN: 500 },
      },
    })
    expect(await send(`${health}/readiness`)).toMatchObject({
      status: 500,
      json: { status: 'DOWN', components: { db: { status: 'DOWN' }, readinessState: { status: 'UP' } } },
    })
    expect((await send(`${health}/liveness`)).status).toBe(200)
  })
})

describe('a group', () => {
  const indicators = {
    app: up,
    db: { indicators: { primary: () => ({ status: 'UP', details: { a: 1 } }), replica: down } },
  }
  const withGroups = (groups: object, view: object = { showDetails: 'always' }) =>
    createManagementClient({ clock, health: { indicators, groups: groups as never, ...view } })

  it.each([
    [{ include: ['app'] }, { app: {} }],
    [{ include: ['db/primary'] }, { db: { components: { primary: {} } } }],
    [{ exclude: ['db/replica', 'livenessState', 'readinessState'] }, { app: {}, db: { components: { primary: {} } } }],
    [
      { include: ['*'], exclude: ['db', 'app'] },
      { livenessState: {}, readinessState: {} },
    ],
  ])('of %j has these components and no others', async (group, components) => {
    const bare = JSON.parse(
      JSON.stringify((await withGroups({ mine: group }).send(`${health}/mine`)).json, (key, value) =>
        key === 'status' || key === 'details' ? undefined : value,
      ),
    )
    expect(bare).toEqual({ components })
  })

  it('is named by health, in the order of names, and nowhere else', async () => {
    const { send } = withGroups({ zebra: { include: ['app'] }, aardvark: { include: ['app'] } })
    expect((await send(health)).json).toHaveProperty('groups', ['aardvark', 'liveness', 'readiness', 'zebra'])
    expect((await send(`${health}/zebra`)).json).toEqual({ status: 'UP', components: { app: { status: 'UP' } } })
    expect((await send(`${health}/db`)).json).not.toHaveProperty('groups')
  })

  it('without members is UP', async () => {
    expect((await withGroups({ mine: { include: [] } }).send(`${health}/mine`)).body).toBe('{"status":"UP"}')
  })

  it('inherits the options of health that it does not override', async () => {
    const { send } = withGroups(
      {
        plain: { include: ['db/replica'] },
        strict: {
          include: ['db/replica'],
          showDetails: 'never',
          showComponents: undefined,
          httpMapping: { DOWN: 418 },
        },
        lenient: { include: ['db'], order: ['UP', 'DOWN'], httpMapping: {} },
      },
      { showDetails: 'always', httpMapping: { DOWN: 500 } },
    )
    expect(await send(`${health}/plain`)).toMatchObject({
      status: 500,
      json: { components: { db: { status: 'DOWN' } } },
    })
    expect(await send(`${health}/strict`)).toMatchObject({ status: 418, body: '{"status":"DOWN"}' })
    expect(await send(`${health}/lenient`)).toMatchObject({
      status: 200,
      json: { status: 'UP', components: { db: { status: 'UP', components: { replica: { status: 'DOWN' } } } } },
    })
  })

  it('is found before a component of its name', async () => {
    const { send } = withGroups({ app: { include: ['db/replica'] } })
    expect((await send(`${health}/app`)).json).toMatchObject({ status: 'DOWN' })
    expect((await send(`${health}/app/db/replica`)).json).toEqual({ status: 'DOWN' })
  })

  it.each(['constructor', '__proto__', 'toString'])('can have the name %s', async (name) => {
    const groups = JSON.parse(`{${JSON.stringify(name)}:{"include":["app"]}}`)
    expect((await withGroups(groups).send(`${health}/${name}`)).json).toEqual({
      status: 'UP',
      components: { app: { status: 'UP' } },
    })
  })

  it.each([
    ['mine/app', { status: 'UP' }],
    ['mine/db', { status: 'UP', components: { primary: { status: 'UP', details: { a: 1 } } } }],
    ['mine/db/primary', { status: 'UP', details: { a: 1 } }],
  ])('has the component %s', async (path, json) => {
    expect((await withGroups({ mine: { include: ['app', 'db/primary'] } }).send(`${health}/${path}`)).json).toEqual(
      json,
    )
  })

  it.each(['mine/db/replica', 'mine/livenessState', 'mine/x', 'mine/app/x', 'mine/mine', 'yours', 'constructor'])(
    'has nothing at %s',
    async (path) => {
      const { send } = withGroups({ mine: { include: ['app', 'db/primary'] } })
      expect((await send(`${health}/${path}`)).status).toBe(404)
    },
  )
})
