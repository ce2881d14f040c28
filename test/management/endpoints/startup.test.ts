import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bearerToken } from 'upkeep'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import { eventually } from '../../support/eventually.ts'
import { listenOn } from '../../support/listen.ts'
import { createManagementClient } from '../../support/management-client.ts'

interface Timeline {
  readonly timeline: {
    readonly startTime: string
    readonly events: readonly {
      readonly startTime: string
      readonly endTime: string
      readonly duration: string
      readonly startupStep: {
        readonly id: number
        readonly parentId?: number
        readonly name: string
        readonly tags: readonly { readonly key: string; readonly value: string }[]
      }
    }[]
  }
}

function setUp() {
  const { management, send } = createManagementClient({
    expose: ['startup'],
    authorize: bearerToken('secret'),
    report: () => {},
  })
  onTestFinished(() => management.close())
  const request = async (method: string) => {
    const { json } = await send('/management/startup', { method, headers: { authorization: 'Bearer secret' } })
    return (json as Timeline).timeline
  }
  const names = async () => (await request('GET')).events.map(({ startupStep: { name } }) => name)
  return { management, send, request, names }
}

describe('GET startup', () => {
  it("has the steps of the start, in Spring Boot Actuator's shape", async () => {
    const { management, request, names } = setUp()
    const { promise, resolve } = deferred()
    management.availability.addStartupTask(promise, 'migrations')
    await eventually(async () => expect(await names()).toEqual(['node.bootstrap', 'application.started']))
    resolve()
    await eventually(async () => expect(await names()).toContain('application.ready'))
    const { startTime, events } = await request('GET')
    expect(Math.abs(Date.parse(startTime) - (Date.now() - process.uptime() * 1_000))).toBeLessThan(60_000)
    expect(events.map(({ startupStep }) => startupStep)).toEqual([
      { name: 'node.bootstrap', id: 0, tags: [] },
      { name: 'application.started', id: 1, tags: [] },
      {
        name: 'application.startup-task',
        id: 2,
        tags: [
          { key: 'name', value: 'migrations' },
          { key: 'outcome', value: 'SUCCESS' },
        ],
      },
      { name: 'application.ready', id: 3, tags: [] },
    ])
    for (const event of events) {
      expect(event.duration).toMatch(/^PT\d+\.\d{6}S$/)
      const milliseconds = Date.parse(event.endTime) - Date.parse(event.startTime)
      expect(Math.abs(milliseconds - Number(event.duration.slice(2, -1)) * 1_000)).toBeLessThanOrEqual(1.5)
    }
  })

  it('has the outcome of a start-up task that fails', async () => {
    const { management, request } = setUp()
    management.availability.addStartupTask(Promise.reject(new Error('canary-7f3a')), 'cache')
    await eventually(async () => {
      const { events } = await request('GET')
      expect(JSON.stringify(events)).toContain('{"key":"outcome","value":"ERROR"}')
      expect(JSON.stringify(events)).not.toContain('canary-7f3a')
    })
  })

  it('has each server that begins to listen', async () => {
    const { request } = setUp()
    const port = await listenOn(createServer())
    const { events } = await request('GET')
    const listening = events.filter(({ startupStep: { name } }) => name === 'server.listening')
    expect(listening.map(({ startupStep: { tags } }) => tags)).toEqual([
      [
        { key: 'address', value: '127.0.0.1' },
        { key: 'port', value: String(port) },
      ],
    ])
  })

  it('has slow modules below the one that requires them (from Node 22)', { skip: !publishesModules() }, async () => {
    const { management, request } = setUp()
    management.availability.refuseTraffic()
    const folder = mkdtempSync(join(tmpdir(), 'startup-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const busy = 'const until = performance.now() + 30; while (performance.now() < until);'
    writeFileSync(join(folder, 'slow.cjs'), busy)
    writeFileSync(join(folder, 'quick.cjs'), '')
    writeFileSync(join(folder, 'main.cjs'), 'require("./quick.cjs"); require("./slow.cjs")')
    createRequire(import.meta.url)(join(folder, 'main.cjs'))
    const { events } = await request('GET')
    const modules = events.flatMap(({ startupStep }) => (startupStep.name === 'module.require' ? [startupStep] : []))
    const [slow, main] = modules
    expect(slow?.tags).toEqual([
      { key: 'module', value: './slow.cjs' },
      { key: 'parent', value: join(folder, 'main.cjs') },
    ])
    expect(main?.tags[0]?.value).toBe(join(folder, 'main.cjs'))
    expect(slow?.parentId).toBe(main?.id)
    expect(modules).toHaveLength(2)
  })

  it('keeps at most 500 steps after the first one', async () => {
    const { management, request } = setUp()
    for (let at = 0; at < 600; at++) management.availability.addStartupTask(Promise.resolve(), `task ${at}`)
    await eventually(async () => expect((await request('GET')).events).toHaveLength(501))
  })

  it('requires an authorized caller', async () => {
    const { send } = setUp()
    expect((await send('/management/startup')).status).toBe(401)
    expect((await send('/management/startup', { method: 'POST' })).status).toBe(401)
  })
})

describe('POST startup', () => {
  it('responds with the timeline and empties it, and OPTIONS names both methods', async () => {
    const { request, send, names } = setUp()
    await eventually(async () => expect(await names()).toContain('application.ready'))
    expect((await request('POST')).events.length).toBeGreaterThan(0)
    expect((await request('GET')).events).toEqual([])
    expect(await send('/management/startup', { method: 'OPTIONS' })).toMatchObject({
      headers: { Allow: 'GET, HEAD, POST, OPTIONS' },
    })
  })
})

describe('the body of POST startup', () => {
  const authorization = 'Bearer secret'

  it.each([
    [415, 'text/plain', 'reset'],
    [415, undefined, '{}'],
    [415, 'application/json; charset=latin1', '{}'],
    [400, 'application/json', '{"a"'],
  ])('is rejected with %i as %s, and the timeline stays', async (status, type, text) => {
    const { send, names } = setUp()
    await eventually(async () => expect(await names()).toContain('application.ready'))
    const headers = { authorization, ...(type !== undefined && { 'content-type': type }) }
    const body = () => ({ kind: 'bytes' as const, bytes: bytesOf(text) })
    expect(await send('/management/startup', { method: 'POST', headers, body })).toMatchObject({ status })
    expect(await names()).toContain('application.ready')
  })

  it.each([
    ['application/json', '{"any":1}'],
    ['application/vnd.spring-boot.actuator.v3+json', '{}'],
    ['application/x-www-form-urlencoded', ''],
  ])('is ignored as %s with %j', async (type, text) => {
    const { send } = setUp()
    const body = () => ({ kind: 'bytes' as const, bytes: bytesOf(text) })
    const headers = { authorization, 'content-type': type }
    expect(await send('/management/startup', { method: 'POST', headers, body })).toMatchObject({ status: 200 })
  })

  it.each<[status: number, headers: Readonly<Record<string, string>>, value: unknown]>([
    [415, { 'content-type': 'text/plain', 'content-length': '5' }, 'reset'],
    [200, { 'content-type': 'application/json', 'content-length': '2' }, {}],
    [200, { 'content-type': 'text/plain', 'content-length': '0' }, {}],
  ])('is %i with %j if a body parser has read it', async (status, headers, value) => {
    const { send } = setUp()
    const body = () => ({ kind: 'parsed' as const, value })
    const response = await send('/management/startup', { method: 'POST', headers: { authorization, ...headers }, body })
    expect(response.status).toBe(status)
  })
})

/** Whether this Node publishes the modules that it loads. */
function publishesModules(): boolean {
  let isPublished = false
  const note = () => {
    isPublished = true
  }
  subscribe('tracing:module.require:start', note)
  createRequire(import.meta.url)('node:zlib')
  unsubscribe('tracing:module.require:start', note)
  return isPublished
}

async function* bytesOf(text: string) {
  yield new TextEncoder().encode(text)
}
