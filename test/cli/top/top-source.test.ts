import { createServer } from 'node:http'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createReader, findSource } from '../../../src/cli/top/top-source.ts'
import { listenOn } from '../../support/listen.ts'
import { overview, requests, routeOf, sampleOf, view } from './samples.ts'

type Answers = Readonly<Record<string, unknown>>

/** Starts a service that responds with documents by path, a string as it is, and 404 to everything else. */
async function serve(documents: Answers, status: Readonly<Record<string, number>> = {}) {
  const targets: string[] = []
  const server = createServer((req, res) => {
    targets.push(req.url ?? '')
    const path = req.url?.split('?')[0] ?? ''
    const found = documents[req.url ?? ''] ?? documents[path]
    res.statusCode = status[path] ?? (found === undefined ? 404 : 200)
    if (typeof found === 'string') res.setHeader('Content-Type', 'text/html').end(found)
    else res.setHeader('Content-Type', 'application/json').end(JSON.stringify(found ?? {}))
  })
  onTestFinished(() => void server.close().closeAllConnections())
  const url = `http://127.0.0.1:${await listenOn(server)}`
  const find = (path = '', clock = { now: 1_000 }) => {
    const reader = createReader(url, { authorization: undefined, timeoutMilliseconds: 20_000 })
    return findSource(new URL(url + path), reader, () => clock.now)
  }
  return { url, targets, find }
}

const consoleAt = (path: string): Answers => ({ [`${path}/overview`]: overview, [`${path}/requests`]: requests })

describe('a service with a console', () => {
  it.each([
    ['', '/management/console'],
    ['/', '/actuator/console'],
    ['/management', '/management/console'],
    ['/ops/', '/ops/console'],
    ['/ops/console', '/ops/console'],
    ['/ops', '/ops'],
  ])('is found for the path %j at %s', async (path, place) => {
    const { find } = await serve(consoleAt(place))
    const source = await find(path)
    expect(await source.read(view)).toEqual({
      ...sampleOf({ members: ['0', '1'] }),
      findings: [{ severity: 'critical', text: 'db is DOWN: refused' }],
      health: { status: 'DOWN', liveness: 'UP', readiness: 'UP', components: { db: 'DOWN' } },
    })
  })

  it('is read by two requests, of a member if one is selected', async () => {
    const { find, targets } = await serve(consoleAt('/management/console'))
    const source = await find('/management')
    targets.length = 0
    await source.read(view)
    await source.read({ ...view, member: 'a b' })
    expect(targets.toSorted()).toEqual([
      '/management/console/overview',
      '/management/console/overview?member=a%20b',
      '/management/console/requests?limit=0',
      '/management/console/requests?limit=0&member=a%20b',
    ])
  })

  it('may respond with anything', async () => {
    const documents: Record<string, unknown> = consoleAt('/management/console')
    const { find } = await serve(documents)
    const source = await find('/management')
    const unexpected = fc.record(
      { application: fc.anything(), health: fc.jsonValue(), vitals: fc.jsonValue(), members: fc.jsonValue() },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        fc.oneof(unexpected, fc.dictionary(fc.string(), fc.jsonValue())),
        async (one, other) => {
          documents['/management/console/overview'] = JSON.stringify(other)
          documents['/management/console/requests'] = JSON.stringify({
            routes: [one],
            ...(typeof one === 'object' && one),
          })
          expect(await source.read(view)).toMatchObject({ source: 'console', health: { status: expect.any(String) } })
        },
      ),
      { numRuns: 50 },
    )
  })
})

const measurements = (...values: readonly (readonly [statistic: string, value: number])[]) => ({
  measurements: values.map(([statistic, value]) => ({ statistic, value })),
})

const timer = (total: number, seconds: number, max: number) =>
  measurements(['COUNT', total], ['TOTAL_TIME', seconds], ['MAX', max])

/** What Spring Boot 4 responds with. */
function springBoot(): Record<string, unknown> {
  const meters = {
    'http.server.requests': {
      ...timer(100, 5, 0.25),
      availableTags: [
        { tag: 'outcome', values: ['SUCCESS', 'SERVER_ERROR'] },
        { tag: 'uri', values: ['/orders/{id}', '/orders'] },
      ],
    },
    'http.server.requests?tag=outcome%3ASERVER_ERROR': timer(10, 1, 0.1),
    'http.server.requests?tag=uri%3A%2Forders': timer(40, 1, 0.25),
    'http.server.requests?tag=uri%3A%2Forders%2F%7Bid%7D': timer(60, 4, 0.2),
    'process.cpu.usage': measurements(['VALUE', 0.25]),
    'system.cpu.count': measurements(['VALUE', 4]),
    'process.start.time': measurements(['VALUE', 1_700_000_000.123]),
    'jvm.memory.used?tag=area%3Aheap': measurements(['VALUE', 1_000]),
    'jvm.memory.committed?tag=area%3Aheap': measurements(['VALUE', 2_000]),
    'jvm.memory.max?tag=area%3Aheap': measurements(['VALUE', 4_000]),
    'jvm.gc.pause': timer(2, 0.5, 0.3),
  }
  const names = [...new Set(Object.keys(meters).map((key) => key.split('?')[0]))]
  return {
    '/actuator/metrics': { names },
    '/actuator/health': {
      status: 'DOWN',
      components: { db: { status: 'UP', components: { orders: { status: 'DOWN' } } }, ping: { status: 'UP' } },
      groups: ['liveness', 'readiness'],
    },
    '/actuator/health/liveness': { status: 'UP' },
    '/actuator/health/readiness': { status: 'OUT_OF_SERVICE' },
    '/actuator/info': { build: { name: 'orders', version: '1.4.2' }, process: { pid: 4242 } },
    ...Object.fromEntries(Object.entries(meters).map(([key, value]) => [`/actuator/metrics/${key}`, value])),
  }
}

describe('a service with metrics and health', () => {
  it('is read from those of Spring Boot, with rates from the second sample on', async () => {
    const documents = springBoot()
    const { find } = await serve(documents, { '/actuator/health': 503, '/actuator/health/readiness': 503 })
    const clock = { now: 1_000 }
    const source = await find('', clock)
    expect(await source.read(view)).toMatchObject({ vitals: { requestRate: null, errorRate: null, gc: null } })
    documents['/actuator/metrics/http.server.requests?tag=outcome%3ASERVER_ERROR'] = timer(14, 1, 0.1)
    documents['/actuator/metrics/http.server.requests?tag=uri%3A%2Forders'] = timer(60, 1.5, 0.25)
    documents['/actuator/metrics/http.server.requests'] = {
      ...(documents['/actuator/metrics/http.server.requests'] as object),
      ...timer(120, 6, 0.25),
    }
    documents['/actuator/metrics/jvm.gc.pause'] = timer(3, 0.7, 0.3)
    clock.now = 3_000
    const unknown = { p50: null, p95: null, p99: null }
    expect(await source.read(view)).toEqual({
      ...{ at: 3_000, source: 'metrics', findings: [], members: [] },
      application: { name: 'orders', version: '1.4.2', pid: 4242, startedAt: 1_700_000_000_123 },
      health: {
        ...{ status: 'DOWN', liveness: 'UP', readiness: 'OUT_OF_SERVICE' },
        components: { db: 'UP', 'db/orders': 'DOWN', ping: 'UP' },
      },
      vitals: {
        ...{ ...unknown, requestRate: 10, errorRate: 2, mean: 0.05, maximum: 0.25, active: null, cpu: 1, rss: null },
        ...{ loopDelay: null, loopUtilization: null, heapUsed: 1_000, heapTotal: 2_000, external: null },
        gc: expect.closeTo(0.1),
      },
      limits: { memory: null, heap: 4_000, cpu: 4 },
      routes: [
        routeOf({
          ...unknown,
          method: '',
          errors: null,
          rate: 0,
          requests: 60,
          mean: expect.closeTo(4 / 60),
          maximum: 0.2,
        }),
        routeOf({
          ...unknown,
          method: '',
          route: '/orders',
          errors: null,
          rate: 10,
          requests: 60,
          mean: 0.025,
          maximum: 0.25,
        }),
      ],
    })
  })

  it('has no rates for a sample after a restart', async () => {
    const documents = springBoot()
    const { find } = await serve(documents)
    const clock = { now: 1_000 }
    const source = await find('/actuator', clock)
    await source.read(view)
    documents['/actuator/metrics/http.server.requests'] = timer(1, 1, 1)
    documents['/actuator/metrics/process.start.time'] = measurements(['VALUE', 1_700_000_100])
    documents['/actuator/info'] = { build: { version: '1.5.0' } }
    clock.now = 2_000
    expect(await source.read(view)).toMatchObject({
      application: { version: '1.5.0', startedAt: 1_700_000_100_000 },
      vitals: { requestRate: null },
    })
  })

  it('requests routes only when they are asked for, and only those of the filter', async () => {
    const { find, targets } = await serve(springBoot())
    const source = await find('/actuator')
    expect(await source.read({ ...view, withRoutes: false })).toMatchObject({ routes: undefined })
    expect(targets.filter((target) => target.includes('uri'))).toEqual([])
    expect(await source.read({ ...view, filter: '{ID}' })).toMatchObject({ routes: [{ route: '/orders/{id}' }] })
    expect(targets.filter((target) => target.includes('uri'))).toHaveLength(1)
  })

  it('requests the values of a member, and none that do not exist', async () => {
    const usage = { ...measurements(['VALUE', 0.5]), availableTags: [{ tag: 'member', values: ['0', '1'] }] }
    const { find, targets } = await serve({
      '/management/metrics': { names: ['process.cpu.usage'] },
      '/management/metrics/process.cpu.usage': usage,
    })
    const source = await find()
    targets.length = 0
    expect(await source.read({ ...view, member: '1' })).toMatchObject({
      members: ['0', '1'],
      health: { status: 'UNKNOWN' },
    })
    expect(targets.filter((target) => target.includes('metrics/'))).toEqual([
      '/management/metrics/process.cpu.usage?member=1',
    ])
  })
})

describe('a service that cannot be read', () => {
  it.each<readonly [string, Answers, Record<string, number>, RegExp]>([
    [
      'has none of these endpoints',
      {},
      {},
      /^http:[\d./:]+: no console, metrics or health below \/management or \/actuator$/,
    ],
    [
      'has a page at every path',
      { '/management/health': '<p>', '/management/metrics': '<p>' },
      {},
      /: no console, metrics/,
    ],
    [
      'requires a token',
      {},
      { '/management/console/overview': 401 },
      /overview: responded with 401: set UPKEEP_TOKEN$/,
    ],
  ])('is described in one line: it %s', async (_, documents, status, message) => {
    const { find } = await serve(documents, status)
    await expect(find()).rejects.toThrow(message)
  })

  it.each<readonly [string, number, unknown, RegExp]>([
    ['responds with a page', 200, '<html>\n</html>', /overview: expected a JSON object, received text\/html$/],
    ['responds with a list', 200, [1], /expected a JSON object, received application\/json$/],
    ['fails', 500, {}, /responded with 500$/],
    ['is forbidden', 403, {}, /responded with 403$/],
    ['redirects', 302, {}, /redirects to nowhere$/],
    ['has lost its console', 404, {}, /responded with 404$/],
  ])('is described in one line after it was found: it %s', async (_, code, document, message) => {
    const documents: Record<string, unknown> = consoleAt('/management/console')
    const status: Record<string, number> = {}
    const { find } = await serve(documents, status)
    const source = await find('/management')
    documents['/management/console/overview'] = document
    status['/management/console/overview'] = code
    await expect(source.read(view)).rejects.toThrow(message)
  })

  it('is described in one line: it does not respond in time, or does not listen', async () => {
    const server = createServer(() => undefined)
    onTestFinished(() => void server.close().closeAllConnections())
    const url = `http://127.0.0.1:${await listenOn(server)}`
    const silent = createReader(url, { authorization: undefined, timeoutMilliseconds: 20 })
    await expect(silent('/a')).rejects.toThrow(`${url}/a: no response within 20 ms`)
    const closed = createReader('http://127.0.0.1:1', { authorization: undefined, timeoutMilliseconds: 20_000 })
    await expect(closed('/a')).rejects.toThrow(/^http:\/\/127\.0\.0\.1:1\/a: connect ECONNREFUSED/)
  })
})
