import { createServer } from 'node:http'
import { createManagement, type ManagementOptions } from 'upkeep'
import { manage } from 'upkeep/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { attachFakeCluster } from '../../support/fake-cluster.ts'
import { listenOn } from '../../support/listen.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { createRawClient } from '../../support/raw-client.ts'

/** A member behind a socket, whose own counter is 1. */
async function start(options: ManagementOptions = {}) {
  const reports: string[] = []
  const management = createManagement({
    expose: ['prometheus', 'metrics'],
    clock: createManualClock(),
    report: (message) => void reports.push(message),
    ...options,
    metrics: { runtime: false, filters: [{ accept: ({ name }) => (name.startsWith('upkeep.') ? 'deny' : 'neutral') }] },
  })
  management.meters.counter('orders').increment(1)
  const server = createServer(manage(management))
  const send = createRawClient(await listenOn(server))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    management.close()
  })
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    send({ method, target: `/management/${path}`, headers })
  return { management, get, reports }
}

/** A member of a cluster: itself 1, member 2 has 20, all together 111. */
async function startMember(options: ManagementOptions = {}) {
  const { management, ...rest } = await start(options)
  const cluster = attachFakeCluster(management)
  cluster.merged.counter('orders').increment(111)
  cluster.set(2).counter('orders').increment(20)
  return { management, cluster, ...rest }
}

const orders = (page: string) => /^orders_total (\d+)$/m.exec(page)?.[1]
const measured = (body: string): unknown => JSON.parse(body).measurements

describe('prometheus and metrics of a member of a cluster', () => {
  it('show this member until a cluster is attached, and after it has been detached', async () => {
    const { management, get } = await start()
    expect(orders((await get('prometheus')).body)).toBe('1')
    const { merged, detach } = attachFakeCluster(management)
    merged.counter('orders').increment(111)
    expect(orders((await get('prometheus')).body)).toBe('111')
    detach()
    expect(orders((await get('prometheus')).body)).toBe('1')
    expect(measured((await get('metrics/orders')).body)).toEqual([{ statistic: 'COUNT', value: 1 }])
  })

  it('show all members as one', async () => {
    const { cluster, get } = await startMember()
    cluster.merged.counter('only.elsewhere').increment()
    expect(orders((await get('prometheus')).body)).toBe('111')
    expect(JSON.parse((await get('metrics')).body)).toEqual({ names: ['only.elsewhere', 'orders'] })
    expect(measured((await get('metrics/orders')).body)).toEqual([{ statistic: 'COUNT', value: 111 }])
    expect((await get('metrics/only.elsewhere')).status).toBe(200)
  })

  it.each(['prometheus', 'metrics', 'metrics/orders'])('read the members before %s responds', async (path) => {
    const { cluster, get } = await startMember()
    await get(path)
    expect(cluster.refreshes()).toBe(1)
  })

  it.each([
    ['application/openmetrics-text', '# EOF'],
    ['text/plain', '# HELP'],
  ])('are written as %s', async (accept, shown) => {
    const { get } = await startMember()
    const { headers, body } = await get('prometheus', { accept })
    expect(headers['content-type']).toContain(accept)
    expect(body).toContain(shown)
    expect(orders(body)).toBe('111')
  })

  it('leave the measurements of the member itself as they are', async () => {
    const { management } = await startMember()
    expect([...management.measurements.snapshot('orders')]).toMatchObject([{ value: 1 }])
  })
})

describe('?member=', () => {
  it('restricts prometheus and metrics to one member', async () => {
    const { cluster, get } = await startMember()
    cluster.set(2).counter('only.there').increment()
    expect(orders((await get('prometheus?member=2')).body)).toBe('20')
    expect(orders((await get('prometheus?member=2&name[]=only_there_total')).body)).toBeUndefined()
    expect(JSON.parse((await get('metrics?member=2')).body)).toEqual({ names: ['only.there', 'orders'] })
    expect(measured((await get('metrics/orders?member=2')).body)).toEqual([{ statistic: 'COUNT', value: 20 }])
    expect((await get('metrics/only.there?member=1')).status).toBe(404)
  })

  it('responds to HEAD, and to conditional requests, as without it', async () => {
    const { get } = await startMember()
    const head = await get('prometheus?member=2', {}, 'HEAD')
    expect([head.status, head.headers['cache-control'], head.body]).toEqual([200, 'no-store', ''])
    const { headers } = await get('metrics/orders?member=2')
    const [etag] = [headers['etag']].flat()
    expect((await get('metrics/orders?member=2', { 'if-none-match': etag ?? '' })).status).toBe(304)
    expect((await get('metrics/orders', { 'if-none-match': etag ?? '' })).status).toBe(200)
  })

  it.each(['prometheus', 'metrics', 'metrics/orders'])('is a 404 of %s if there is no such member', async (path) => {
    const { cluster, get } = await startMember()
    cluster.set(1, { isAlive: false })
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await get(`${path}?member=7`, {}, method)
      expect([status, headers['content-type']]).toEqual([404, 'application/problem+json'])
      if (method === 'GET')
        expect(JSON.parse(body)).toMatchObject({ detail: 'Member 7 not found; the members are 0, 2.' })
    }
  })

  it('finds a member that has joined since, and not one that has ended', async () => {
    const { cluster, get } = await startMember()
    expect((await get('prometheus?member=3')).status).toBe(404)
    cluster.set(3).counter('orders').increment(33)
    expect(orders((await get('prometheus?member=3')).body)).toBe('33')
    cluster.remove(3)
    expect((await get('prometheus?member=3')).status).toBe(404)
    cluster.set(3).counter('orders').increment(4)
    expect(orders((await get('prometheus?member=3')).body)).toBe('4')
  })

  it('is a 404 where no cluster is attached, so that no response is taken for that of a member', async () => {
    const { get } = await start()
    const { status, body } = await get('prometheus?member=0')
    expect(status).toBe(404)
    expect(JSON.parse(body)).toMatchObject({
      detail: 'Member 0 not found: the application has not joined a cluster.',
    })
  })

  it.each(['', 'two', '-1', '1.5', '01', '1e3', '0x1', ' 1', '1234567', '٣', 'all'])(
    'is a 400 for %j',
    async (text) => {
      const { get } = await startMember()
      for (const path of ['prometheus', 'metrics', 'metrics/orders']) {
        const { status, body } = await get(`${path}?member=${encodeURIComponent(text)}`)
        expect(status).toBe(400)
        expect(JSON.parse(body)).toMatchObject({
          detail: `The query parameter member must be the number of a member, received ${JSON.stringify(text)}.`,
        })
      }
    },
  )

  it('is a 400 where it occurs twice', async () => {
    const { get } = await startMember()
    const { status, body } = await get('prometheus?member=1&member=2')
    expect([status, JSON.parse(body).detail]).toEqual([400, 'The query parameter member must occur once.'])
  })

  it('serves any number of members', async () => {
    const { cluster, get } = await startMember()
    for (let slot = 0; slot < 150; slot++) {
      const counter = cluster.set(slot + 10).counter('orders')
      counter.increment(slot)
      expect(orders((await get(`prometheus?member=${slot + 10}`)).body)).toBe(String(slot))
    }
    expect(orders((await get('prometheus?member=10')).body)).toBe('0')
  })

  it('is not needed for what no parameter of the name concerns', async () => {
    const { get } = await startMember()
    expect(orders((await get('prometheus?members=7')).body)).toBe('111')
  })
})

it('a meter that all pages of a cluster omit is reported once', async () => {
  const { cluster, get, reports } = await startMember()
  for (const registry of [cluster.merged, cluster.set(1), cluster.set(2)]) {
    registry.counter('a.b').increment()
    registry.counter('a_b').increment()
  }
  for (const query of ['', '?member=1', '?member=2', '']) await get(`prometheus${query}`)
  expect(reports).toEqual([expect.stringContaining("omits the meter 'a_b'")])
})

it('a management has one cluster at a time', () => {
  const management = createManagement()
  onTestFinished(() => management.close())
  const { view, detach } = attachFakeCluster(management)
  expect(() => management.cluster.attach(view)).toThrow(
    new Error('joinCluster: the management has already joined a cluster'),
  )
  detach()
  const second = management.cluster.attach(view)
  detach()
  expect(() => management.cluster.attach(view)).toThrow('already')
  second()
})
