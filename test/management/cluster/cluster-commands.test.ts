import { createServer } from 'node:http'
import { bearerToken, createManagement, type ManagementOptions } from 'upkeep'
import { type AuditEvent, createLogger } from 'upkeep/logging'
import { manage } from 'upkeep/node'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ClusterCommand } from '../../../src/cluster/cluster-host.ts'
import { attachFakeCluster } from '../../support/fake-cluster.ts'
import { listenOn } from '../../support/listen.ts'
import { createRawClient } from '../../support/raw-client.ts'

/** A member behind a socket, with the loggers ROOT, orders and orders.db. */
async function start(options: ManagementOptions = {}) {
  const reports: string[] = []
  const audited: AuditEvent[] = []
  const { loggers, child } = createLogger({ application: { name: 'orders' }, write: () => {} })
  child({ logger: 'orders' }).child({ logger: 'orders.db' })
  const management = createManagement({
    expose: ['loggers', 'shutdown'],
    authorize: bearerToken('secret'),
    loggers,
    loggerGroups: { sql: ['orders.db', 'knex'], none: ['pg'] },
    audit: (event) => void audited.push(event),
    report: (message) => void reports.push(message),
    ...options,
  })
  const shutdowns: string[] = []
  const server = createServer(manage(management))
  const send = createRawClient(await listenOn(server))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    management.close()
  })
  const post = async (path: string, body?: object, authorization = 'Bearer secret') => {
    const text = body && { body: JSON.stringify(body) }
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) }
    const response = await send({ method: 'POST', target: `/management/${path}`, headers, ...text })
    return { status: response.status, json: response.body === '' ? undefined : JSON.parse(response.body) }
  }
  const acceptShutdown = () => management.onShutdownRequest((reason) => shutdowns.push(reason))
  const levelOf = (name: string) => loggers.level(name)?.effectiveLevel
  return { management, loggers, levelOf, post, reports, audited, shutdowns, acceptShutdown }
}

async function startMember(options: ManagementOptions = {}) {
  const started = await start(options)
  return { ...started, cluster: attachFakeCluster(started.management) }
}

describe('POST loggers of a member of a cluster', () => {
  it('changes a level of all members, this one included, before it responds', async () => {
    const { post, cluster, levelOf, audited } = await startMember()
    expect(await post('loggers/orders', { configuredLevel: 'DEBUG' })).toEqual({ status: 204, json: undefined })
    const command = { kind: 'log-level', logger: 'orders', level: 'DEBUG', until: undefined }
    expect(cluster.commands).toEqual([command])
    expect(levelOf('orders')).toBe('DEBUG')
    expect(audited).toMatchObject([{ type: 'change', path: 'loggers/orders', outcome: 'success' }])
    await post('loggers/orders', { configuredLevel: null })
    expect(cluster.commands[1]).toEqual({ ...command, level: undefined })
    expect(levelOf('orders')).toBe('INFO')
  })

  it('changes the loggers of a group, by its name', async () => {
    const { post, cluster, levelOf } = await startMember()
    expect((await post('loggers/sql', { configuredLevel: 'TRACE' })).status).toBe(204)
    expect(cluster.commands).toMatchObject([{ logger: 'sql', level: 'TRACE' }])
    expect(levelOf('orders.db')).toBe('TRACE')
  })

  it('changes one member with ?member=', async () => {
    const { post, cluster, levelOf } = await startMember()
    expect((await post('loggers/orders?member=2', { configuredLevel: 'DEBUG' })).status).toBe(204)
    expect(cluster.commands).toEqual([
      { kind: 'log-level', logger: 'orders', level: 'DEBUG', until: undefined, slots: [2] },
    ])
    expect(levelOf('orders')).toBe('INFO')
    expect((await post('loggers/orders?member=0', { configuredLevel: 'DEBUG' })).status).toBe(204)
    expect(levelOf('orders')).toBe('DEBUG')
  })

  it.each([
    ['loggers/orders?member=7', { configuredLevel: 'DEBUG' }, 404, 'Member 7 not found; the members are 0, 1, 2.'],
    ['loggers/orders?member=all', { configuredLevel: 'DEBUG' }, 400, 'must be the number of a member, received "all".'],
    ['loggers/unknown', { configuredLevel: 'DEBUG' }, 404, 'Logger not found.'],
    ['loggers/none', { configuredLevel: 'DEBUG' }, 404, 'No logger of the group exists.'],
    ['loggers/orders', { configuredLevel: 'LOUD' }, 400, 'must be one of'],
    ['loggers/orders', { configuredLevel: 'DEBUG', for: '8d' }, 400, 'up to "7d"'],
  ])('sends nothing for %s with %j', async (path, body, status, detail) => {
    const { post, cluster } = await startMember()
    expect(await post(path, body)).toMatchObject({ status, json: { detail: expect.stringContaining(detail) } })
    expect(cluster.commands).toEqual([])
  })

  it('sends nothing for a caller who is not authorized', async () => {
    const { post, cluster, acceptShutdown, shutdowns } = await startMember()
    acceptShutdown()
    for (const path of ['loggers/orders', 'loggers/orders?member=2']) {
      expect((await post(path, { configuredLevel: 'DEBUG' }, 'Bearer wrong')).status).toBe(401)
    }
    for (const path of ['shutdown', 'shutdown?member=2', 'shutdown?member=all']) {
      expect((await post(path, undefined, 'Bearer wrong')).status).toBe(401)
    }
    expect([cluster.commands, shutdowns]).toEqual([[], []])
  })

  it('is a 404 with ?member= where no cluster is attached, and changes nothing', async () => {
    const { post, levelOf } = await start()
    expect((await post('loggers/orders?member=1', { configuredLevel: 'DEBUG' })).status).toBe(404)
    expect(levelOf('orders')).toBe('INFO')
  })
})

describe('a temporary level in a cluster', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => vi.useRealTimers())

  it('ends for all members at the same time', async () => {
    const { post, cluster, levelOf } = await startMember()
    const begun = Date.now()
    await post('loggers/orders', { configuredLevel: 'DEBUG', for: '15m' })
    const [command] = cluster.commands
    expect(command).toMatchObject({ until: begun + 900_000 })

    const other = await start()
    attachFakeCluster(other.management)
    vi.advanceTimersByTime(600_000)
    if (command !== undefined) other.management.cluster.applyCommand(command)
    expect([levelOf('orders'), other.levelOf('orders')]).toEqual(['DEBUG', 'DEBUG'])
    vi.advanceTimersByTime(299_000)
    expect([levelOf('orders'), other.levelOf('orders')]).toEqual(['DEBUG', 'DEBUG'])
    vi.advanceTimersByTime(1_001)
    expect([levelOf('orders'), other.levelOf('orders')]).toEqual(['INFO', 'INFO'])
  })

  it('is not applied once it has ended, and never longer than seven days', async () => {
    const { management, levelOf } = await start()
    const command = { kind: 'log-level', logger: 'orders', level: 'DEBUG' } as const
    for (const until of [Date.now(), Date.now() - 1, Number.NaN, Number.NEGATIVE_INFINITY]) {
      management.cluster.applyCommand({ ...command, until })
      expect(levelOf('orders')).toBe('INFO')
    }
    management.cluster.applyCommand({ ...command, until: Number.POSITIVE_INFINITY })
    expect(levelOf('orders')).toBe('DEBUG')
    vi.advanceTimersByTime(7 * 86_400_000 + 1)
    expect(levelOf('orders')).toBe('INFO')
  })
})

describe('applyCommand', () => {
  it('changes a level also where the endpoint is not exposed', async () => {
    const { management, levelOf } = await start({ expose: ['health'] })
    management.cluster.applyCommand({ kind: 'log-level', logger: 'orders', level: 'debug', until: undefined })
    expect(levelOf('orders')).toBe('DEBUG')
  })

  it.each([
    [
      'an unknown logger',
      { logger: 'unknown', level: 'DEBUG' },
      'the level of "unknown" is not changed: this member has',
    ],
    [
      'a group without loggers',
      { logger: 'none', level: 'DEBUG' },
      'the level of "none" is not changed: this member has',
    ],
    [
      'an unknown level',
      { logger: 'orders', level: 'LOUD' },
      'the level of "orders" is not changed: unknown level "LOUD"',
    ],
    ['a level that the logger lacks', { logger: 'orders', level: 'FATAL' }, 'unknown level "FATAL"'],
  ])('reports %s once', async (_, change, message) => {
    const { management, reports, levelOf } = await start()
    for (let time = 0; time < 3; time++) {
      management.cluster.applyCommand({ kind: 'log-level', until: undefined, ...change })
    }
    expect(reports).toEqual([expect.stringContaining(message)])
    expect(levelOf('orders')).toBe('INFO')
  })

  it('reports that a member without loggers changes none', async () => {
    const { management, reports } = await start({ expose: ['health'], loggers: undefined, loggerGroups: undefined })
    management.cluster.applyCommand({ kind: 'log-level', logger: 'orders', level: 'DEBUG', until: undefined })
    management.cluster.applyCommand({ kind: 'log-level', logger: 'orders', level: undefined, until: undefined })
    expect(reports).toEqual([
      'cluster: the level of "orders" is not changed: unknown level "DEBUG"',
      'cluster: the level of "orders" is not changed: this member has no such logger',
    ])
  })

  it('reports a bounded number of lines, of bounded length', async () => {
    const { management, reports } = await start()
    for (let time = 0; time < 1_000; time++) {
      const logger = `\n${time}${'x'.repeat(10_000)}`
      management.cluster.applyCommand({ kind: 'log-level', logger, level: 'DEBUG', until: undefined })
    }
    expect(reports).toHaveLength(100)
    expect(reports.every((line) => line.length < 300 && !line.includes('\n'))).toBe(true)
  })

  it('ignores what is sent to other members', async () => {
    const { management, levelOf, shutdowns, acceptShutdown } = await startMember()
    acceptShutdown()
    const change = { kind: 'log-level', logger: 'orders', level: 'DEBUG', until: undefined } as const
    for (const command of [change, { kind: 'shutdown', reason: 'test' }] as const) {
      management.cluster.applyCommand({ ...command, slots: [1, 2] })
      management.cluster.applyCommand({ ...command, slots: [] })
    }
    expect([levelOf('orders'), shutdowns]).toEqual(['INFO', []])
    management.cluster.applyCommand({ ...change, slots: [0] })
    expect(levelOf('orders')).toBe('DEBUG')
  })

  it('never throws', async () => {
    const { management, loggers, reports } = await start()
    vi.spyOn(loggers, 'configure').mockImplementation(() => {
      throw new Error('read-only')
    })
    const broken: object = { kind: 'log-level', logger: 7 }
    for (const command of [broken, { kind: 'shutdown' }, { kind: 'other' }, {}] as readonly ClusterCommand[]) {
      management.cluster.applyCommand(command)
    }
    management.cluster.applyCommand({ kind: 'log-level', logger: 'orders', level: 'DEBUG', until: undefined })
    expect(reports.at(-1)).toBe('cluster: failed to apply the command of a member')
  })

  it('starts the shutdown with its reason, or reports that there is none', async () => {
    const { management, shutdowns, acceptShutdown, reports } = await start()
    management.cluster.applyCommand({ kind: 'shutdown', reason: 'test' })
    expect(reports).toEqual(['cluster: this member is not shut down: it does not call shutdownGracefully'])
    acceptShutdown()
    management.cluster.applyCommand({ kind: 'shutdown', reason: 'test' })
    expect(shutdowns).toEqual(['test'])
  })
})

describe('POST shutdown of a member of a cluster', () => {
  const bye = { status: 200, json: { message: 'Shutting down, bye...' } }
  const reason = 'requested by POST shutdown'

  it('shuts down the member that responds, and no other', async () => {
    const { post, cluster, shutdowns, acceptShutdown } = await startMember()
    acceptShutdown()
    expect(await post('shutdown')).toEqual(bye)
    expect(await post('shutdown?member=0')).toEqual(bye)
    expect([shutdowns, cluster.commands]).toEqual([[reason, reason], []])
  })

  it('shuts down another member with ?member=, and all of them with ?member=all', async () => {
    const { post, cluster, shutdowns, acceptShutdown } = await startMember()
    acceptShutdown()
    expect(await post('shutdown?member=2')).toEqual(bye)
    expect([shutdowns, cluster.commands]).toEqual([[], [{ kind: 'shutdown', reason, slots: [2] }]])
    expect(await post('shutdown?member=all')).toEqual(bye)
    expect([shutdowns, cluster.commands.at(-1)]).toEqual([[reason], { kind: 'shutdown', reason }])
  })

  it.each([
    ['shutdown', 501],
    ['shutdown?member=0', 501],
    ['shutdown?member=7', 404],
    ['shutdown?member=ALL', 400],
    ['shutdown?member=', 400],
    ['shutdown?member=1&member=2', 400],
  ])('is for POST %s %j without a graceful shutdown', async (path, status) => {
    const { post, cluster } = await startMember()
    expect((await post(path)).status).toBe(status)
    expect(cluster.commands).toEqual([])
  })

  it('is that of this member where all others have ended', async () => {
    const { post, cluster, shutdowns, acceptShutdown } = await startMember()
    for (const slot of [1, 2]) cluster.set(slot, { isAlive: false })
    expect((await post('shutdown?member=all')).status).toBe(501)
    acceptShutdown()
    expect(await post('shutdown?member=all')).toEqual(bye)
    expect([shutdowns, cluster.commands]).toEqual([[reason], []])
  })

  it('is that of one process where no cluster is attached', async () => {
    const { post, shutdowns, acceptShutdown } = await start()
    acceptShutdown()
    expect((await post('shutdown?member=1')).status).toBe(404)
    expect(shutdowns).toEqual([])
    expect(await post('shutdown?member=all')).toEqual(bye)
    expect(shutdowns).toEqual([reason])
  })
})
