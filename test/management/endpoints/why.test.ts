import { getHeapStatistics } from 'node:v8'
import { bearerToken, createManagement, type ManagementOptions } from 'upkeep'
import { createLogger } from 'upkeep/logging'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

const failing: ManagementOptions = {
  application: { name: 'orders', version: '1.4.2' },
  expose: ['health', 'why'],
  authorize: bearerToken('let-me-in'),
  health: {
    indicators: {
      db: () => {
        throw new Error('connect failed with password=canary7f3a91 # [x](javascript:1)\u001b[31m')
      },
    },
  },
  info: { git: false },
  report: () => {},
  audit: () => {},
}

const authorized = { authorization: 'Bearer let-me-in' }

/** A request that changes a level. */
const post = {
  ...{ method: 'POST', base: 'http://localhost', headers: { ...authorized, 'content-type': 'application/json' } },
  body: () => ({ kind: 'parsed', value: { configuredLevel: 'DEBUG' } }) as const,
}

function start(options: ManagementOptions) {
  const management = createManagement(options)
  onTestFinished(management.close)
  const read = async (headers: Readonly<Record<string, string>> = {}) => {
    const response = await management({
      ...{ method: 'GET', target: '/management/why', base: 'http://localhost' },
      headers: { ...authorized, ...headers },
      body: () => ({ kind: 'parsed', value: undefined }),
    })
    return { status: response?.status, type: response?.headers['Content-Type'], body: String(response?.body) }
  }
  return { management, read }
}

const read = (options: ManagementOptions, headers?: Readonly<Record<string, string>>) => start(options).read(headers)

describe('the endpoint why', () => {
  it('has no statement for a healthy service', async () => {
    const { body } = await read({ ...failing, health: {} })
    expect(JSON.parse(body)).toMatchObject({ statements: [], omitted: 0, windowSeconds: 900 })
    expect(JSON.parse(body).summary).toMatch(/^Nothing is wrong/)
  })

  it('has the memory of the moment, not that of the last sample', async () => {
    const { read } = start({ ...failing, health: {} })
    const heapUsed = Math.round(0.95 * getHeapStatistics().heap_size_limit)
    vi.spyOn(process, 'memoryUsage').mockReturnValue({ ...process.memoryUsage(), heapUsed })
    onTestFinished(() => void vi.restoreAllMocks())
    const { statements } = JSON.parse((await read()).body)
    expect(statements).toMatchObject([
      { kind: 'memory', text: expect.stringMatching(/^The heap is at 95 % of its limit/) },
    ])
  })

  it('has the commit of the build, and changes of log levels as markers', async () => {
    process.env['GIT_COMMIT'] = '0123456789abcdef0123456789abcdef01234567'
    onTestFinished(() => void delete process.env['GIT_COMMIT'])
    const { loggers } = createLogger({ application: { name: 'orders' }, write: () => {} })
    const options = { ...failing, expose: ['health', 'loggers', 'why'], health: {}, info: {}, loggers }
    const { management, read } = start(options)
    await management({ ...post, target: '/management/loggers/ROOT' })
    const { markers, application } = JSON.parse((await read()).body)
    expect(application).toEqual({ name: 'orders', version: '1.4.2', commit: process.env['GIT_COMMIT'] })
    expect(markers).toContainEqual({
      ...{ at: expect.any(Number), kind: 'log-level', text: 'level of ROOT: INFO → DEBUG' },
    })
  })

  it('states a component that is DOWN, with its reason and without its secrets', async () => {
    const { body } = await read(failing)
    const { statements, summary, application } = JSON.parse(body)
    expect(statements).toMatchObject([{ kind: 'health', severity: 'critical', weight: 100, traces: [] }])
    expect(statements[0].text).toMatch(/^db is DOWN: .*connect failed with password=\*\*\*/)
    expect(summary).toBe(`${statements[0].text}.`)
    expect(application).toEqual({ name: 'orders', version: '1.4.2' })
    expect(body).not.toContain('canary7f3a91')
    expect(body).not.toContain('\\u001b')
  })

  it('is Markdown for clients that prefer it, in which text of the application is escaped', async () => {
    const { type, body } = await read(failing, { accept: 'application/json;q=0.4, text/markdown;q=0.9' })
    expect(type).toBe('text/markdown; charset=utf-8')
    expect(body).toMatch(/^# orders 1\.4\.2: why\n/)
    expect(body).not.toContain('[x](')
    expect((await read(failing, { accept: 'text/markdown;q=0.4, application/json' })).type).toMatch(/json/)
  })

  it('has links to the console if that is exposed', async () => {
    const { body } = await read({ ...failing, expose: ['health', 'console', 'why'] })
    expect(JSON.parse(body).statements[0].link).toBe('/management/console#/health?component=db')
    expect(JSON.parse((await read(failing)).body).statements[0].link).toBeUndefined()
  })

  it('requires authorize', () => {
    const { authorize: _, ...open } = failing
    expect(() => createManagement(open)).toThrow('authorize')
  })
})
