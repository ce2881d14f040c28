import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { basicAuth, bearerToken, type Endpoint, HttpError, type ManagementOptions } from 'upkeep'
import { type AuditEvent, createLogger } from 'upkeep/logging'
import { describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { folderWith } from '../support/folder-with.ts'
import { createManagementClient } from '../support/management-client.ts'
import { createManualClock } from '../support/manual-clock.ts'

const authorization = `Basic ${Buffer.from('alice:canary-7f3a').toString('base64')}`

const dump: Endpoint = {
  id: 'dump',
  auditedReads: ['dump/{name}'],
  routes: [
    { path: 'dump', resource: { get: () => text('list') } },
    {
      path: 'dump/{name}',
      resource: {
        get({ variables: [name = ''] }) {
          if (name === 'busy') throw new HttpError(409, 'A dump is being taken.')
          if (name === 'broken') throw new Error('disk full')
          if (name.startsWith('stream')) return streamed(name)
          if (name === 'file') return file(10)
          if (name === 'empty') return file(0)
          return name === 'missing' ? undefined : text('dump')
        },
      },
    },
    { path: 'dump/keys/{key}', resource: { delete: () => undefined } },
    { path: 'dump/open/{*path}', resource: { access: 'public', post: () => undefined } },
  ],
}

const text = (content: string) =>
  ({ offers: [{ mediaType: 'text/plain', render: () => content }], caching: 'no-store' }) as const

/** Content of two chunks; a failure is named by `name`. */
function streamed(name: string) {
  async function* render() {
    if (name === 'stream-full') throw new HttpError(507, 'The disk is full.')
    if (name === 'stream-fails') throw new Error('no snapshot')
    yield 'one'
    if (name === 'stream-breaks') throw new Error('no more')
    yield 'two'
  }
  return { offers: [{ mediaType: 'text/plain', render }], caching: 'no-store' } as const
}

function file(size: number) {
  async function* read(first: number, last: number) {
    yield Buffer.alloc(last - first + 1)
  }
  return { offers: [{ mediaType: 'text/plain', render: () => ({ size, read }) }], caching: 'no-store' } as const
}

function setUp(options: ManagementOptions = {}) {
  const clock = createManualClock()
  const events: AuditEvent[] = []
  const reports: string[] = []
  const logger = createLogger({ application: { name: 'orders' }, write: () => {} })
  logger.child({ logger: 'orders.db' })
  const managed = createManagementClient({
    expose: ['health', 'loggers', 'dump'],
    endpoints: [dump],
    loggers: logger.loggers,
    authorize: basicAuth({ username: 'alice', password: 'canary-7f3a' }),
    audit: (event) => events.push(event),
    report: (message) => reports.push(message),
    clock,
    ...options,
  })
  const call = (
    method: string,
    path: string,
    headers: Record<string, string> = { authorization },
    signal?: AbortSignal,
  ) =>
    managed.management({
      ...(signal && { signal }),
      method,
      target: `/management/${path}`,
      headers: { 'content-type': 'application/json', ...headers },
      body: () => ({ kind: 'parsed', value: { configuredLevel: 'DEBUG' } }),
      base: '',
    })
  return { ...managed, clock, events, reports, call }
}

describe('an audit event', () => {
  it('names who changed what, when, and with which outcome', async () => {
    const { call, events, clock } = setUp()
    clock.advance(1_500)
    await call('POST', 'loggers/orders.db?password=canary-7f3a')
    expect(events).toEqual([
      {
        timestamp: '1970-01-01T00:00:01.500Z',
        principal: 'alice',
        type: 'change',
        endpoint: 'loggers',
        method: 'POST',
        path: 'loggers/orders.db',
        outcome: 'success',
        status: undefined,
      },
    ])
  })

  it.each([
    ['upkeep-mcp/0.1.0 (set_log_level)', 'set_log_level'],
    ['upkeep-mcp/0.1.0 (canary-7f3a)', undefined],
    [`upkeep-mcp/0.1.0 (${'a'.repeat(41)})`, undefined],
    ['curl/8.1 (set_log_level)', undefined],
  ])('names the tool of an agent, and nothing else of its user agent: %s', async (userAgent, tool) => {
    const { call, events } = setUp()
    await call('POST', 'loggers/orders.db', { authorization, 'user-agent': userAgent })
    expect(events.map((event) => event.tool)).toEqual([tool])
  })

  it('is a line with the tool of an agent', async () => {
    const { call, reports } = setUp({ audit: undefined })
    await call('POST', 'loggers/orders.db', { authorization, 'user-agent': 'upkeep-mcp/0.1.0 (set_log_level)' })
    expect(reports).toEqual(['audit: change by "alice" with the tool set_log_level: POST loggers/orders.db: success'])
  })

  it.each([
    ['POST', 'loggers/unknown', 'change', 'failure', 404],
    ['GET', 'dump/heap', 'download', 'success', undefined],
    ['HEAD', 'dump/heap', 'download', 'success', undefined],
    ['GET', 'dump/missing', 'download', 'failure', 404],
    ['GET', 'dump/busy', 'download', 'failure', 409],
    ['GET', 'dump/broken', 'download', 'failure', 500],
  ])('of %s %s is a %s, a %s', async (method, path, type, outcome, status) => {
    const { call, events } = setUp()
    await call(method, path)
    expect(events).toMatchObject([{ principal: 'alice', method, path, type, outcome, status }])
  })

  it.each([
    ['GET', 'loggers'],
    ['GET', 'loggers/ROOT'],
    ['GET', 'health'],
    ['GET', 'dump'],
    ['OPTIONS', 'loggers/ROOT'],
    ['PUT', 'loggers/ROOT'],
  ])('is not made of %s %s, which changes and downloads nothing', async (method, path) => {
    const { call, events } = setUp()
    await call(method, path)
    expect(events).toEqual([])
  })

  it.each([
    ['credentials', {}],
    ['the right password', { authorization: `Basic ${Buffer.from('alice:guess').toString('base64')}` }],
    ['the origin of the service', { authorization, 'sec-fetch-site': 'cross-site' }],
  ])('is not made of a request without %s', async (_what, headers: Record<string, string>) => {
    const { call, events } = setUp()
    const response = await call('POST', 'loggers/ROOT', headers)
    expect([401, 403]).toContain(response?.status)
    expect(events).toEqual([])
  })

  it('has no secret: no value of a variable that names one, no query, no body, no credentials', async () => {
    const { call, events } = setUp()
    await call('DELETE', 'dump/keys/canary-7f3a?canary-7f3a')
    expect(events).toMatchObject([{ path: 'dump/keys/REDACTED' }])
    expect(JSON.stringify(events)).not.toContain('canary-7f3a')
  })

  it('has a path of limited length, encoded', async () => {
    const { call, events } = setUp()
    await call('POST', `loggers/%E2%80%A8${'x'.repeat(1_000)}`)
    expect(events[0]?.path).toMatch(/^loggers\/%E2%80%A8x{100,}$/)
    expect(events[0]?.path.length).toBeLessThan(200)
  })

  it('has no principal if the operation is public', async () => {
    const { call, events } = setUp()
    await call('POST', 'dump/open/a/b', {})
    expect(events).toMatchObject([{ principal: undefined, path: 'dump/open/a/b', outcome: 'success' }])
  })

  it('is reported as one line by default', async () => {
    const name = 'bob\naudit: change by "mallory"'
    const { call, reports } = setUp({ audit: undefined, authorize: () => ({ name }) })
    await call('POST', 'loggers/orders.db')
    await call('POST', 'loggers/unknown')
    expect(reports).toEqual([
      'audit: change by "bob\\naudit: change by \\"mallory\\"": POST loggers/orders.db: success',
      'audit: change by "bob\\naudit: change by \\"mallory\\"": POST loggers/unknown: failure (404)',
    ])
  })
})

describe('the audit event of a download', () => {
  const download = async (
    { call }: ReturnType<typeof setUp>,
    path: string,
    { signal, ...headers }: { readonly signal?: AbortSignal; readonly range?: string } = {},
  ) => {
    const response = await call('GET', path, { authorization, ...headers }, signal)
    const body = response?.body
    if (body === null || typeof body !== 'object' || body instanceof Uint8Array) throw new Error('expected a stream')
    return body[Symbol.asyncIterator]()
  }

  it.each([
    ['dump/stream', {}],
    ['dump/file', {}],
    ['dump/file', { range: 'bytes=0-3' }],
  ])('is made when the last byte of %s has been read (%j)', async (path, headers) => {
    const managed = setUp()
    const chunks = await download(managed, path, headers)
    expect(managed.events).toEqual([])
    while ((await chunks.next()).done !== true) expect(managed.events).toEqual([])
    expect(managed.events).toMatchObject([{ type: 'download', path, outcome: 'success', status: undefined }])
  })

  it.each([
    ['stream-full', 507],
    ['stream-fails', 500],
  ])('is a failure with the status of the response if dump/%s fails before its first byte', async (name, status) => {
    const { call, events } = setUp()
    expect(await call('GET', `dump/${name}`)).toMatchObject({ status })
    expect(events).toMatchObject([{ principal: 'alice', outcome: 'failure', status }])
  })

  it('is a failure without a status if the content breaks off', async () => {
    const managed = setUp()
    const chunks = await download(managed, 'dump/stream-breaks')
    await chunks.next()
    await expect(chunks.next()).rejects.toThrow('no more')
    expect(managed.events).toMatchObject([{ outcome: 'failure', status: undefined }])
  })

  it('is a failure if the server does not read the content to its end', async () => {
    const managed = setUp()
    const chunks = await download(managed, 'dump/stream')
    await chunks.next()
    await chunks.return?.()
    expect(managed.events).toMatchObject([{ outcome: 'failure', status: undefined }])
  })

  it('is a failure if the client disconnects, also if the server reads nothing any more', async () => {
    const managed = setUp()
    const client = new AbortController()
    const chunks = await download(managed, 'dump/stream', { signal: client.signal })
    client.abort()
    expect(managed.events).toMatchObject([{ outcome: 'failure', status: undefined }])
    while ((await chunks.next()).done !== true);
    expect(managed.events).toHaveLength(1)
  })

  it.each([
    ['GET', 'dump/empty', {}, 200],
    ['HEAD', 'dump/stream-fails', {}, 200],
  ])('is a success for %s %s, which has no bytes', async (method, path, headers, status) => {
    const { call, events } = setUp()
    expect(await call(method, path, { authorization, ...headers })).toMatchObject({ status })
    expect(events).toMatchObject([{ outcome: 'success' }])
  })

  it.each([
    ['no acceptable form', { accept: 'image/png' }, 406],
    ['no such range', { range: 'bytes=20-' }, 416],
  ])('is not made for a request with %s', async (_what, headers, status) => {
    const { call, events } = setUp()
    expect(await call('GET', 'dump/file', { authorization, ...headers })).toMatchObject({ status })
    expect(events).toEqual([])
  })
})

describe('the option audit', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('no disk')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no disk'))],
  ])('does not affect the response if it %s', async (_how, audit) => {
    const { call, reports } = setUp({ audit })
    expect((await call('POST', 'loggers/ROOT'))?.status).toBe(204)
    await Promise.resolve()
    expect(reports).toContain('the option audit failed')
  })

  it('must be a function or a file', () => {
    expect(() => setUp({ audit: 5 as never })).toThrow(
      'createManagement: audit: expected a function of an audit event, or { file }, received 5',
    )
  })

  it('of a file appends events in order, also after a renaming, and reports what cannot be written', async () => {
    const folder = await folderWith({})
    const file = join(folder, 'audit.jsonl')
    const { call, reports } = setUp({ audit: { file } })
    const pathsOf = (name: string) =>
      readFileSync(name, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).path)
    for (let at = 0; at < 20; at++) await call('POST', `loggers/n${at}`)
    await eventually(() => expect(pathsOf(file)).toEqual(Array.from({ length: 20 }, (_, at) => `loggers/n${at}`)))

    renameSync(file, `${file}.1`)
    await call('POST', 'loggers/after')
    await eventually(() => expect(pathsOf(file)).toEqual(['loggers/after']))
    expect(reports).toEqual([])

    rmSync(file)
    mkdirSync(file)
    await call('POST', 'loggers/ROOT')
    await eventually(() => expect(reports).toEqual(['the option audit failed']))
  })

  it('is called at most 60 times at once and once per second, and the rest is counted and reported', async () => {
    const { call, events, reports, clock, management } = setUp()
    for (let at = 0; at < 100; at++) await call('POST', 'loggers/ROOT')
    expect(events).toHaveLength(60)
    expect(management.meters.counter('upkeep.audit.dropped').value).toBe(40)
    clock.advance(1_000)
    await call('POST', 'loggers/ROOT')
    await call('POST', 'loggers/ROOT')
    expect(events).toHaveLength(61)
    expect(reports).toEqual(['audit: 40 events were omitted, because there were more than one per second'])
  })

  it('is called for known callers although strangers have exhausted their share', async () => {
    const { call, events } = setUp({ authorize: bearerToken('secret') })
    for (let at = 0; at < 100; at++) await call('POST', 'dump/open/a', {})
    await call('POST', 'loggers/ROOT', { authorization: 'Bearer secret' })
    expect(events.at(-1)).toMatchObject({ endpoint: 'loggers', outcome: 'success' })
    expect(events).toHaveLength(61)
  })
})
