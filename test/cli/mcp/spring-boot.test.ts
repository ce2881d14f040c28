import { expect, it } from 'vitest'
import { connectMcp, dataOf } from './connect-mcp.ts'
import { serveResponses } from './fake-service.ts'

/** What Spring Boot 4 responds with. */
const springBoot = {
  '/actuator': { body: { _links: { self: {}, health: {}, 'health-path': {}, metrics: {} } } },
  '/actuator/health': {
    status: 503,
    body: {
      status: 'DOWN',
      components: { db: { status: 'DOWN', details: { error: 'refused' } }, ping: { status: 'UP' } },
    },
  },
  '/actuator/metrics': { body: { names: ['http.server.requests', 'jvm.memory.used'] } },
  '/actuator/metrics/jvm.memory.used?tag=area%3Aheap': {
    body: {
      ...{ name: 'jvm.memory.used', baseUnit: 'bytes', measurements: [{ statistic: 'VALUE', value: 1_000 }] },
      availableTags: [{ tag: 'id', values: ['G1 Eden'] }],
    },
  },
  '/actuator/httpexchanges': {
    body: {
      exchanges: [
        exchange('https://orders.example/orders/1?token=secret', 200, 'PT0.25S'),
        exchange('https://orders.example/slow', 500, 'PT1M2.5S'),
      ],
    },
  },
  '/actuator/logfile': { body: '2026 INFO started\n2026 ERROR failed: timeout\n' },
  '/actuator/threaddump': {
    body: {
      threads: [
        { threadName: 'http-1', threadState: 'WAITING', stackTrace: [] },
        {
          ...{ threadName: 'main', threadState: 'RUNNABLE' },
          stackTrace: [{ className: 'com.example.Orders', methodName: 'find', lineNumber: 41 }],
        },
      ],
    },
  },
  '/actuator/env': {
    body: {
      activeProfiles: ['prod'],
      propertySources: [{ name: 'systemProperties', properties: { 'java.version': { value: '21' } } }],
    },
  },
  '/actuator/mappings': {
    body: {
      contexts: {
        orders: {
          mappings: { dispatcherServlets: { dispatcherServlet: [{ predicate: '{GET [/orders]}', handler: 'o' }] } },
        },
      },
    },
  },
  '/actuator/scheduledtasks': { body: { fixedRate: [{ runnable: { target: 'poll' }, interval: 2_000 }] } },
  '/actuator/loggers/ROOT': { body: { configuredLevel: 'INFO', effectiveLevel: 'INFO' } },
  'POST /actuator/loggers/ROOT': { status: 204, body: '' },
  '/actuator/loggers/com.example': { body: { effectiveLevel: 'INFO' } },
  'POST /actuator/loggers/com.example': { status: 204, body: '' },
}

function exchange(uri: string, status: number, timeTaken: string) {
  return { timestamp: '2026-01-31T23:59:59Z', request: { method: 'GET', uri }, response: { status }, timeTaken }
}

it.each<readonly [string, Record<string, unknown>, string]>([
  ['list_services', {}, 'shop: DOWN; endpoints health, metrics'],
  ['why', {}, 'Health is DOWN.'],
  ['health', {}, 'db: DOWN; {"error":"refused"}'],
  ['metrics_query', {}, '2 of 2 meters.'],
  ['metrics_query', { name: 'jvm.memory.used', tags: ['area:heap'] }, 'VALUE=1000'],
  ['slow_requests', { limit: 1 }, '2026-01-31T23:59:59Z  500     62.500   -      GET /slow'],
  ['slow_requests', { route: 'orders' }, '2026-01-31T23:59:59Z  200     0.250    -      GET /orders/1'],
  ['logs', { level: 'ERROR' }, '2026 ERROR failed: timeout'],
  ['threads', {}, '    at find (com.example.Orders:41)'],
  ['env', {}, '  java.version=21'],
  ['routes', {}, '{GET [/orders]} -> o (dispatcherServlet)'],
  ['tasks', {}, 'poll: fixedRate 2000; has not run'],
])('the endpoints of Spring Boot are read by %s %j', async (name, input, expected) => {
  const { origin } = await serveResponses(springBoot)
  const { call } = await connectMcp([`shop=${origin}`])
  const { text, isError } = await call(name, input)
  expect(isError, text).toBe(false)
  expect(dataOf(text).split('\n')).toContain(expected)
})

it.each(['profile', 'heap_growth', 'captures', 'trace'])(
  '%s names the endpoint that Spring Boot has not',
  async (name) => {
    const { origin } = await serveResponses(springBoot)
    const { call } = await connectMcp([`shop=${origin}`])
    const { text, isError } = await call(name, name === 'trace' ? { id: '1' } : {})
    expect([isError, text]).toEqual([true, expect.stringMatching(/^shop does not expose the endpoint /)])
  },
)

it.each([
  ['ROOT', 'INFO'],
  ['com.example', null],
])('a log level that Spring Boot would not restore is restored at once: %s', async (logger, level) => {
  const { origin, requests } = await serveResponses(springBoot)
  const { call } = await connectMcp([`shop=${origin}`, '--allow-changes'])
  expect(await call('set_log_level', { logger, level: 'DEBUG', minutes: 5 })).toEqual({
    isError: true,
    text: 'shop cannot restore a level by itself, so the change was undone.',
  })
  expect(requests.flatMap(({ method, body }) => (method === 'POST' ? [JSON.parse(body)] : []))).toEqual([
    { configuredLevel: 'DEBUG', for: '5m' },
    { configuredLevel: level },
  ])
})
