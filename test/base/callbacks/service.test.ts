import { createManagement, type ManagementOptions } from 'upkeep'
import type { ManagementRequest } from 'upkeep/adapter'
import { observe as observeFetch } from 'upkeep/fetch'
import { instrument } from 'upkeep/instrumentation'
import { createLogger } from 'upkeep/logging'
import { manage, observe } from 'upkeep/node'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { collectUncaughtErrors, faultyCallbacksAndNull } from '../../support/faulty-callbacks.ts'
import { startHttp } from '../../support/start-http.ts'

function open(options: ManagementOptions = {}) {
  const report = vi.fn()
  const management = createManagement({ metrics: { runtime: false }, report, ...options })
  onTestFinished(() => management.close())
  const timed = (name: string, tag: string) =>
    [...management.meters.snapshot(name)].map(({ id }) => id.tags.find(({ key }) => key === tag)?.value)
  return { management, timed, reports: () => report.mock.calls.map(([message]) => String(message)) }
}

async function startService(listener: Parameters<typeof startHttp>[0]) {
  const server = await startHttp(listener)
  onTestFinished(server.dispose)
  return server
}

describe('a route function that', () => {
  it.each(faultyCallbacksAndNull)('%s loses only its route template, on node:http', async (title, route) => {
    const { escaped } = collectUncaughtErrors()
    const { management, timed, reports } = open({ tracing: true })
    const observed = observe(management, { route })
    const server = await startService((req, res) => void observed(req, res, () => void res.end('done')))
    for (let times = 0; times < 2; times++) expect(await (await fetch(server.url)).text()).toBe('done')
    await eventually(() => expect(timed('http.server.requests', 'uri')).toEqual(['UNKNOWN']))
    expect(await escaped()).toEqual([])
    expect(reports()).toEqual(title === 'returns null' ? [] : [expect.stringContaining('the route of a request')])
  })

  it.each(faultyCallbacksAndNull)('%s loses only its route template, on a fetch server', async (title, route) => {
    const { escaped } = collectUncaughtErrors()
    const { management, timed, reports } = open({ tracing: true })
    const observed = observeFetch(management, { route })
    for (let times = 0; times < 2; times++) {
      const response = await observed(new Request('http://orders/'), () => new Response('done'))
      expect(await response.text()).toBe('done')
    }
    expect(timed('http.server.requests', 'uri')).toEqual(['UNKNOWN'])
    expect(await escaped()).toEqual([])
    expect(reports()).toEqual(title === 'returns null' ? [] : [expect.stringContaining('the route of a request')])
  })
})

describe.each(['uri', 'clientName'] as const)('the option %s of an instrument that', (option) => {
  it.each(faultyCallbacksAndNull)('%s loses only its tag', async (title, callback) => {
    const { escaped } = collectUncaughtErrors()
    const { management, timed, reports } = open({ tracing: true })
    const server = await startService((_req, res) => void res.end('done'))
    onTestFinished(instrument(management, { undici: { [option]: callback } }))
    for (let times = 0; times < 2; times++) expect(await (await fetch(server.url)).text()).toBe('done')
    await eventually(() => expect(timed('http.client.requests', 'client.name')).toEqual(['127.0.0.1']))
    expect(timed('http.client.requests', 'uri')).toEqual(['none'])
    expect(await escaped()).toEqual([])
    expect(reports()).toEqual(title === 'returns null' ? [] : [`instrument: ${option} failed and is ignored`])
  })
})

describe('a health indicator whose', () => {
  it.each(faultyCallbacksAndNull)('state %s is DOWN with the reason', async (_, state) => {
    const { escaped } = collectUncaughtErrors()
    const { management } = open({ health: { indicators: { breaker: { state }, ok: () => 'UP' } } })
    for (let times = 0; times < 2; times++) {
      const { status, components } = await management.health.check()
      expect(status).toBe('DOWN')
      expect(components).toMatchObject({
        breaker: { status: 'DOWN', details: { error: expect.any(String) } },
        ok: { status: 'UP' },
      })
    }
    expect(await escaped()).toEqual([])
  })

  it.each(faultyCallbacksAndNull)('check %s is DOWN with the reason', async (_, check) => {
    const { escaped } = collectUncaughtErrors()
    const { management } = open({ health: { indicators: { db: { check, timeout: '50ms', cache: '0ms' } } } })
    for (let times = 0; times < 2; times++) {
      expect(await management.health.check('db')).toMatchObject({
        status: expect.stringMatching(/^(DOWN|late)$/),
      })
    }
    expect(await escaped()).toEqual([])
  })
})

describe('a listener that', () => {
  it.each(faultyCallbacksAndNull)('%s affects neither health nor other listeners', async (_, listener) => {
    const { escaped } = collectUncaughtErrors()
    let status = 'UP'
    const { management } = open({ health: { indicators: { db: { check: () => status, cache: '0ms' } } } })
    const received: string[] = []
    management.health.onChange(listener)
    management.health.onChange((change) => void received.push(`${change.kind} ${change.to}`))
    await management.health.check()
    status = 'DOWN'
    await management.health.check()
    expect(received).toContain('component DOWN')
    expect(await escaped()).toEqual([])
  })
})

describe('an info contributor that', () => {
  const settling = faultyCallbacksAndNull.filter(([title]) => !title.includes('never settles'))
  it.each(settling)('%s loses only its own part, and is reported once', async (_, contributor) => {
    const { escaped } = collectUncaughtErrors()
    const { management, reports } = open({
      expose: ['info'],
      info: { contributors: [contributor, () => ({ app: 'orders' })] },
    })
    for (let times = 0; times < 2; times++) {
      const response = await management(request('/management/info'))
      expect(response?.status).toBe(200)
      expect(JSON.parse(String(response?.body))).toMatchObject({ app: 'orders' })
    }
    expect(await escaped()).toEqual([])
    expect(reports()).toEqual(['an info contributor failed'])
  })
})

describe('a report that', () => {
  it.each(faultyCallbacksAndNull)('%s affects nothing', async (_, report) => {
    const { escaped } = collectUncaughtErrors()
    const { management } = open({ report, health: { indicators: { db: () => 'DOWN' } } })
    management.meters.gauge('bad', () => {
      throw new Error('no value')
    })
    const observed = observe(management, {
      route: () => {
        throw new Error('no route')
      },
    })
    const managed = manage(management)
    const server = await startService((req, res) => {
      observed(req, res, () => managed(req, res, () => void res.end('done')))
    })
    expect(await (await fetch(`${server.url}/orders`)).text()).toBe('done')
    expect((await fetch(`${server.url}/management/health`)).status).toBe(503)
    expect([...management.meters.snapshot('bad')]).toHaveLength(1)
    expect(await escaped()).toEqual([])
  })
})

describe('the option write of createLogger that', () => {
  it.each(faultyCallbacksAndNull)('%s does not fail the code that logs', async (_, write) => {
    const { escaped } = collectUncaughtErrors()
    const logger = createLogger({ application: { name: 'orders' }, write })
    logger.info('placed', { id: 1 })
    logger.error('failed', new Error('no database'))
    expect(await escaped()).toEqual([])
  })
})

describe('authorize that', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each(faultyCallbacksAndNull)('%s authorizes no request, and shows no details', async (_, authorize) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { escaped } = collectUncaughtErrors()
    const { management } = open({
      expose: ['health', 'metrics'],
      access: { metrics: { roles: ['ops'] } },
      health: { showDetails: 'when-authorized', roles: ['ops'], indicators: { db: () => 'UP' } },
      authorize,
    })
    const [guarded, shown] = [management(request('/management/metrics')), management(request('/management/health'))]
    await vi.advanceTimersByTimeAsync(5_000)
    expect([401, 403, 500]).toContain((await guarded)?.status)
    const health = await shown
    expect(health?.status).toBe(200)
    expect(JSON.parse(String(health?.body))).not.toHaveProperty('components')
    vi.useRealTimers()
    expect(await escaped()).toEqual([])
  })

  it('never settles times out after five seconds: 500, reported with the reason', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const report = vi.fn()
    const { management } = open({
      expose: ['metrics'],
      access: { metrics: 'authorized' },
      authorize: () => new Promise(() => {}),
      report,
    })
    const answers: (number | undefined)[] = []
    void Promise.resolve(management(request('/management/metrics'))).then((answer) => answers.push(answer?.status))
    await vi.advanceTimersByTimeAsync(4_999)
    expect(answers).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(answers).toEqual([500])
    expect(report.mock.calls).toEqual([
      ['GET /management/metrics failed', new DOMException('authorize did not settle within 5000 ms', 'TimeoutError')],
    ])
    expect(vi.getTimerCount()).toBe(0)
  })
})

function request(target: string): ManagementRequest {
  return {
    method: 'GET',
    target,
    headers: {},
    base: 'http://127.0.0.1',
    body: () => ({ kind: 'parsed', value: undefined }),
  }
}
