import { createServer } from 'node:http'
import { createManagement, type HealthChange, type HealthOptions, type Management } from 'upkeep'
import { manage } from 'upkeep/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ClusterHealthOptions } from '../../../src/cluster/cluster-host.ts'
import { attachFakeCluster } from '../../support/fake-cluster.ts'
import { listenOn } from '../../support/listen.ts'
import { createRawClient } from '../../support/raw-client.ts'

const reports: string[] = []

async function start(options: HealthOptions = {}) {
  reports.length = 0
  const management = createManagement({
    authorize: ({ headers }) => (headers['authorization'] === 'me' ? { name: 'me' } : undefined),
    health: { showDetails: 'always', ...options },
    report: (message) => void reports.push(message),
  })
  const server = createServer(manage(management))
  const send = createRawClient(await listenOn(server))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    management.close()
  })
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const { status, body } = await send({ target: `/management/${path}`, headers })
    return { status, json: JSON.parse(body) }
  }
  return { management, get }
}

async function startMember(health: ClusterHealthOptions = {}, options: HealthOptions = {}) {
  const { management, get } = await start(options)
  return { management, get, cluster: attachFakeCluster(management, { health }) }
}

const shown = { liveness: 'CORRECT', readiness: 'ACCEPTING_TRAFFIC', stale: false, age: 0, thread: 0 }

describe('the component cluster', () => {
  it('exists as long as a cluster is attached', async () => {
    const { management, get } = await start()
    expect(Object.keys((await get('health')).json.components)).toEqual(['livenessState', 'readinessState'])
    expect((await get('health/cluster')).status).toBe(404)
    const { detach } = attachFakeCluster(management)
    expect(Object.keys((await get('health')).json.components)).toEqual(['cluster', 'livenessState', 'readinessState'])
    expect((await get('health/cluster')).status).toBe(200)
    detach()
    expect(Object.keys((await get('health')).json.components)).toEqual(['livenessState', 'readinessState'])
    expect((await get('health/cluster')).status).toBe(404)
    expect(await management.health.check('cluster')).toBeUndefined()
  })

  it('has a component for each member that is alive', async () => {
    const { cluster, management, get } = await startMember()
    cluster.set(1, { readiness: 'REFUSING_TRAFFIC', age: 1.75 })
    cluster.set(2, { isAlive: false, isFinal: true })
    cluster.set(3, { liveness: 'BROKEN' })
    cluster.set(10, { age: 2.5 })
    const report = {
      status: 'UP',
      details: { members: 4, ready: 1, stale: 1 },
      components: {
        0: { status: 'UP', details: { ...shown, pid: 1_000 } },
        1: { status: 'OUT_OF_SERVICE', details: { ...shown, readiness: 'REFUSING_TRAFFIC', age: 1, pid: 1_001 } },
        3: { status: 'DOWN', details: { ...shown, liveness: 'BROKEN', pid: 1_003 } },
        10: { status: 'DOWN', details: { ...shown, stale: true, age: 2, pid: 1_010 } },
      },
    }
    expect(await get('health/cluster')).toEqual({ status: 200, json: report })
    expect(await management.health.check('cluster')).toEqual(report)
  })

  it('shows one member at a path of its own', async () => {
    const { cluster, management, get } = await startMember()
    cluster.set(2, { liveness: 'BROKEN' })
    expect(await get('health/cluster/2')).toEqual({
      status: 503,
      json: { status: 'DOWN', details: { ...shown, liveness: 'BROKEN', pid: 1_002 } },
    })
    expect((await management.health.check('cluster/2'))?.status).toBe('DOWN')
    for (const path of ['3', '02', '2/0', '-1', 'toString', '__proto__', 'constructor']) {
      expect((await get(`health/cluster/${path}`)).status).toBe(404)
    }
    cluster.remove(2)
    expect((await get('health/cluster/2')).status).toBe(404)
  })

  it('reads the state of the responding member itself, not what it has written', async () => {
    const { management, cluster, get } = await startMember()
    cluster.set(0, { age: 9 })
    management.availability.refuseTraffic()
    const { json } = await get('health/cluster/0')
    expect([json.status, json.details.stale]).toEqual(['OUT_OF_SERVICE', false])
    management.availability.acceptTraffic()
    expect((await get('health/cluster/0')).json.status).toBe('UP')
  })

  it.each([
    ['nobody', { showDetails: 'never' }, {}, [404, 404, undefined]],
    ['those who may see components', { showDetails: 'never', showComponents: 'always' }, {}, [200, 200, undefined]],
    ['an unknown caller', { showDetails: 'when-authorized' }, {}, [404, 404, undefined]],
    ['a known caller', { showDetails: 'when-authorized' }, { authorization: 'me' }, [200, 200, 1_001]],
  ] as const)('is shown to %s as the options of health say', async (_, options, headers, expected) => {
    const { get } = await startMember({}, options)
    const member = await get('health/cluster/1', headers)
    expect([(await get('health/cluster', headers)).status, member.status, member.json.details?.pid]).toEqual(expected)
  })

  it('is the indicator of the application where that has its name', async () => {
    const { get } = await startMember({ ready: 'all' }, { indicators: { cluster: () => 'UNKNOWN' } })
    expect((await get('health/cluster')).json).toEqual({ status: 'UNKNOWN' })
    expect((await get('health/cluster/1')).status).toBe(404)
    expect(reports).toEqual(['joinCluster: health.ready has no effect, because there is an indicator named "cluster"'])
  })

  it('is DOWN with the error if the members cannot be read', async () => {
    const { management, get } = await start()
    const members = () => {
      throw new RangeError('no directory')
    }
    attachFakeCluster(management, { members })
    expect(await get('health/cluster')).toMatchObject({ status: 503, json: { status: 'DOWN' } })
  })

  it('can be placed at a path, and named in a group, before a cluster is attached', async () => {
    const management = createManagement({
      paths: { 'health/cluster': '/members' },
      health: { groups: { front: { include: ['cluster', 'livenessState'] } }, showDetails: 'always' },
    })
    onTestFinished(() => management.close())
    expect(await management.health.check('front')).toMatchObject({ components: { livenessState: {} } })
    attachFakeCluster(management)
    const front = await management.health.check('front')
    expect(Object.keys(front?.components ?? {})).toEqual(['cluster', 'livenessState'])
  })

  it('is no group member by the number of a member', () => {
    const include = ['cluster/2']
    expect(() => createManagement({ health: { groups: { front: { include } } } })).toThrow(
      'health.groups.front.include: expected components of livenessState, readinessState, received "cluster/2"',
    )
  })
})

/** What readiness responds with when this member and the others are in these states. */
const up = 'ACCEPTING_TRAFFIC'
const out = 'REFUSING_TRAFFIC'

describe('readiness of a cluster', () => {
  it.each([
    // rule, own readiness, that of the others, whether readiness is 200
    [undefined, up, [out, out], true],
    [undefined, out, [up, up], false],
    ['any', up, [out, out], true],
    ['any', out, [out, up], true],
    ['any', out, [out, out], false],
    ['all', up, [up, up], true],
    ['all', up, [up, out], false],
    ['all', out, [up, up], false],
    [{ atLeast: 2 }, up, [up, out], true],
    [{ atLeast: 2 }, out, [up, up], true],
    [{ atLeast: 2 }, up, [out, out], false],
    [{ atLeast: 3 }, up, [up, up], true],
    [{ atLeast: 4 }, up, [up, up], false],
  ] as const)('by the rule %j, with %s and %j, is %j', async (ready, own, others, isReady) => {
    const { management, cluster, get } = await startMember({ ready })
    if (own === out) management.availability.refuseTraffic()
    for (const [at, readiness] of others.entries()) cluster.set(at + 1, { readiness })
    const expected = isReady ? 200 : 503
    expect((await get('health/readiness')).status).toBe(expected)
    expect((await management.health.check('readiness'))?.status).toBe(isReady ? 'UP' : 'OUT_OF_SERVICE')
    const probe = await management.probes({
      ...{ method: 'GET', target: '/readyz', headers: {}, base: '' },
      body: () => ({ kind: 'parsed', value: undefined }),
    })
    expect(probe?.status).toBe(expected)
  })

  it.each([
    ['stale', { age: 2.5 }],
    ['broken', { liveness: 'BROKEN' }],
  ] as const)('does not count a member that is %s', async (_, member) => {
    const { cluster, get } = await startMember({ ready: { atLeast: 3 } })
    expect((await get('health/readiness')).status).toBe(200)
    cluster.set(1, member)
    expect((await get('health/readiness')).status).toBe(503)
  })

  it('does not wait for members that have ended', async () => {
    const { cluster, get } = await startMember({ ready: 'all' })
    cluster.set(1, { readiness: out, isAlive: false })
    expect((await get('health/readiness')).status).toBe(200)
  })

  it('keeps the other components of the group', async () => {
    const groups = { readiness: { include: ['readinessState', 'db'] } }
    const { get } = await startMember({ ready: 'any' }, { groups, indicators: { db: { state: () => 'DOWN' } } })
    const { status, json } = await get('health/readiness')
    expect([status, Object.keys(json.components)]).toEqual([503, ['cluster', 'db']])
  })

  it('is that of the member where the group excludes the cluster', async () => {
    const groups = { readiness: { include: ['readinessState'], exclude: ['cluster'] } }
    const { cluster, get } = await startMember({ ready: 'all' }, { groups })
    cluster.set(1, { readiness: out })
    expect(await get('health/readiness')).toMatchObject({ status: 200, json: { components: { readinessState: {} } } })
  })

  it('does not change liveness', async () => {
    const { cluster, get } = await startMember({ ready: 'all' })
    cluster.set(1, { liveness: 'BROKEN' })
    expect((await get('health/liveness')).status).toBe(200)
  })

  it('is the same object while nothing changes, so that a probe is rendered once', async () => {
    const { management, cluster } = await startMember({ ready: 'all' })
    cluster.set(1, { age: 0.1 })
    const first = await bodyOf(management)
    cluster.set(1, { age: 0.9 })
    expect(await bodyOf(management)).toBe(first)
    cluster.set(1, { readiness: out })
    expect(await bodyOf(management)).not.toBe(first)
  })
})

it('changes are reported to listeners: of the cluster, of readiness and of the whole', async () => {
  const { management, get } = await start()
  await get('health')
  const changes: string[] = []
  const describeChange = (change: HealthChange) =>
    `${change.kind === 'component' ? change.component : change.kind} ${change.from} ${change.to}`
  management.health.onChange((change) => void changes.push(describeChange(change)))
  const cluster = attachFakeCluster(management, { health: { ready: 'all' } })
  expect(changes.splice(0)).toEqual(['cluster UNKNOWN UP'])
  cluster.set(1, { readiness: out })
  await get('health/readiness')
  expect(changes.splice(0)).toEqual(['cluster UP OUT_OF_SERVICE', 'group UP OUT_OF_SERVICE', 'whole UP OUT_OF_SERVICE'])
  cluster.detach()
  expect(changes.splice(0)).toEqual([
    'cluster OUT_OF_SERVICE UNKNOWN',
    'group OUT_OF_SERVICE UP',
    'whole OUT_OF_SERVICE UP',
  ])
})

async function bodyOf(management: Management): Promise<unknown> {
  const response = await management({
    ...{ method: 'GET', target: '/management/health/readiness', headers: {}, base: '' },
    body: () => ({ kind: 'parsed', value: undefined }),
  })
  return response
}
