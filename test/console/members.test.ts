import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bearerToken, createManagement, type ManagementOptions } from 'upkeep'
import { type Cluster, joinCluster } from 'upkeep/cluster'
import { manage, observe } from 'upkeep/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { attachFakeCluster } from '../support/fake-cluster.ts'
import { listenOn } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'

const authorization = 'Bearer let-me-in'

/** A service with a console behind a socket. It responds to requests with the status that is their path. */
async function start(options: ManagementOptions = {}) {
  const management = createManagement({
    application: { name: 'orders' },
    expose: ['health', 'metrics', 'console'],
    authorize: bearerToken('let-me-in'),
    ...options,
  })
  const [observed, managed] = [observe(management, { route: () => '/orders/:id' }), manage(management)]
  const server = createServer((req, res) =>
    observed(req, res, () =>
      managed(req, res, () => {
        res.statusCode = Number(req.url?.slice(1))
        res.end()
      }),
    ),
  )
  const port = await listenOn(server)
  const send = createRawClient(port)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    management.close()
  })
  const get = async (path: string, headers: Readonly<Record<string, string>> = { authorization }) => {
    const { status, body } = await send({ target: `/management/console/${path}`, headers })
    return { status, json: body === '' ? undefined : JSON.parse(body) }
  }
  return { management, send, get, url: `http://127.0.0.1:${port}` }
}

/** Starts members of one group: several of one process stand for those of several threads. */
async function startMembers(count: number, options?: ManagementOptions) {
  const directory = await mkdtemp(join(tmpdir(), 'upkeep-cluster-'))
  const members: (Awaited<ReturnType<typeof start>> & { readonly cluster: Cluster })[] = []
  onTestFinished(async () => {
    for (const { cluster } of members) cluster.leave()
    await rm(directory, { recursive: true, force: true })
  })
  for (let at = 0; at < count; at += 1) {
    const started = await start(options)
    members.push({ ...started, cluster: joinCluster(started.management, { directory, group: 'orders' }) })
  }
  const [first] = members as [(typeof members)[number]]
  const numbers = members.map((_, at) => String(at))
  await expect.poll(async () => (await first.get('overview?member=0')).json.members).toEqual(numbers)
  return { directory, members, first, get: first.get, url: first.url }
}

const paths = ['overview', 'history', 'requests', 'health', 'meters', 'logs', 'dependencies']

describe('the documents of a member of a cluster', () => {
  it('are those of the member that is selected, whichever member responds', async () => {
    const { get, members } = await startMembers(3)
    await members[2]?.send({ target: '/503' })
    await members[1]?.send({ target: '/200' })
    for (const path of paths) {
      for (const member of [0, 1, 2]) {
        expect(await get(`${path}?member=${member}`), path).toMatchObject({
          status: 200,
          json: { now: expect.any(Number) },
        })
      }
    }
    const recent = async (member: number) => (await get(`requests?member=${member}`)).json.recent
    expect(await recent(0)).toEqual([])
    expect(await recent(1)).toMatchObject([{ id: '1', status: 200 }])
    expect(await recent(2)).toMatchObject([{ id: '1', status: 503 }])
    expect((await get('requests/1?member=2')).json.request.status).toBe(503)
    expect((await get('requests/1?member=0')).status).toBe(404)
  })

  it('are restricted by the other parameters', async () => {
    const { get, members } = await startMembers(2)
    for (const status of [200, 404]) await members[1]?.send({ target: `/${status}` })
    expect((await get('requests?member=1&limit=1')).json.recent).toMatchObject([{ status: 404 }])
    const { status, json } = await get('logs?member=1&level=loud')
    expect([status, json.detail]).toEqual([400, expect.stringContaining('The query parameter level must be one of')])
  })

  it('are those of all members as one without a member', async () => {
    const { get, members } = await startMembers(3)
    for (const [at, status] of [200, 503, 200].entries()) {
      await members[at]?.send({ target: `/${status}` })
      // The clocks of members agree to a millisecond.
      const sentAt = Date.now()
      await expect.poll(() => Date.now() - sentAt).toBeGreaterThan(2)
    }
    const { routes, recent } = (await get('requests')).json
    expect(routes).toMatchObject([{ method: 'GET', route: '/orders/:id', requests: 3, errors: 1, total: 3 }])
    expect(recent.map(({ id, status }: { id: string; status: number }) => [id, status])).toEqual([
      ['2-1', 200],
      ['1-1', 503],
      ['0-1', 200],
    ])
    expect((await get('requests/1-1')).json.request.status).toBe(503)
    expect((await get('requests/7-1')).status).toBe(404)
    expect((await get('health')).json.root.components.map(({ path }: { path: string }) => path)).toEqual([
      '0',
      '1',
      '2',
    ])
    expect((await get('overview?member=all')).json).toMatchObject({
      members: ['0', '1', '2'],
      viewers: { current: 0, maximum: 20 },
      links: { health: '/management/health' },
      health: { status: 'UP' },
    })
    expect((await get('history')).json.step).toBe(1)
    expect((await get('dependencies')).json.outgoing).toEqual([])
    expect((await get('logs')).json.latest).toBe(0)
  })

  it('name the members in which something is wrong', async () => {
    const indicators = { db: () => 'DOWN' as const }
    const { get } = await startMembers(2, { health: { indicators } })
    const { findings } = (await get('overview')).json
    expect(findings[0]).toMatchObject({ kind: 'health', link: '#/health?component=db&member=0' })
    expect(findings[0].text).toMatch(/^Members 0, 1: db is DOWN/)
  })

  it('have the meters of all members, or those that one has written', async () => {
    const { get, members } = await startMembers(2)
    members[0]?.management.meters.counter('orders.placed').increment(1)
    members[1]?.management.meters.counter('orders.placed').increment(20)
    const countOf = async (query: string) => (await get(`meters/orders.placed${query}`)).json?.series?.[0].values.COUNT
    await expect.poll(() => countOf('')).toBe(21)
    expect(await countOf('?member=0')).toBe(1)
    expect(await countOf('?member=1')).toBe(20)
    const { meters } = (await get('meters?member=1')).json
    expect(meters.map(({ name }: { name: string }) => name)).toContain('orders.placed')
  })

  it('are a 404 that names the members where there is no such member', async () => {
    const { get, members } = await startMembers(3)
    members[1]?.cluster.leave()
    for (const path of [...paths, 'requests/1', 'meters/upkeep.cluster.members', 'stream']) {
      await expect.poll(async () => (await get(`${path}?member=1`)).status, { message: path }).toBe(404)
    }
    expect((await get('overview?member=1')).json).toMatchObject({
      detail: 'Member 1 not found; the members are 0, 2.',
      members: ['0', '2'],
    })
    expect((await get('overview')).json.members).toEqual(['0', '2'])
  })

  it('are a 400 for what is no member', async () => {
    const { get } = await start()
    const { status, json } = await get('overview?member=first')
    expect([status, json.detail]).toEqual([
      400,
      'The query parameter member must be the number of a member, or all, received "first".',
    ])
    expect((await get('overview?member=1')).json.detail).toBe(
      'Member 1 not found: the application has not joined a cluster.',
    )
    expect((await get('overview?member=all')).json.members).toEqual([])
  })

  it('require an authorized caller', async () => {
    const { get } = await startMembers(2)
    for (const path of [...paths, 'stream', 'requests/1']) expect((await get(`${path}?member=1`, {})).status).toBe(401)
  })

  it('are streamed, each second, until the member is gone', async () => {
    const { members, url } = await startMembers(2)
    const response = await fetch(`${url}/management/console/stream?member=1`, { headers: { authorization } })
    let text = ''
    let samples = 0
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      samples = text.split('event: sample').length - 1
      if (samples === 2) members[1]?.cluster.leave()
    }
    expect(text).toContain('event: application\ndata: {"name":"orders"')
    expect(text).toContain('event: findings\ndata: []')
    expect(samples).toBeGreaterThan(1)
  })

  it('leave no file behind', async () => {
    const { directory, get } = await startMembers(2)
    expect((await get('overview?member=1')).status).toBe(200)
    expect(await readdir(join(directory, 'group-orders', 'requests'))).toEqual([])
  })

  it('are a 404 of a member without a console', async () => {
    const { first, directory } = await startMembers(1)
    const other = createManagement({ application: { name: 'orders' } })
    const cluster = joinCluster(other, { directory, group: 'orders' })
    onTestFinished(() => {
      cluster.leave()
      other.close()
    })
    await expect
      .poll(async () => (await first.get('requests?member=1')).json.detail)
      .toBe('Member 1 does not expose the endpoint console.')
    expect((await first.get('requests')).status).toBe(200)
  })
})

describe('the documents of a member that does not respond', () => {
  it('are a 504, and left out of those of all members, which name it', async () => {
    const { management, get } = await start()
    const cluster = attachFakeCluster(management)
    expect((await get('requests?member=2')).json).toMatchObject({
      status: 504,
      detail: 'Member 2 did not respond within 3 s; its event loop may be blocked.',
    })
    expect((await get('overview')).json.findings).toMatchObject(
      ['1', '2'].map((member) => ({
        severity: 'critical',
        text: `Member ${member} does not respond; its event loop may be blocked`,
      })),
    )
    cluster.detach()
    expect((await get('overview')).json.findings).toEqual([])
  })
})
