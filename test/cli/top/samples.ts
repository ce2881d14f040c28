import type { TopView } from '../../../src/cli/top/top-keys.ts'
import type { TopRoute, TopSample } from '../../../src/cli/top/top-sample.ts'

export const view: TopView = {
  ...{ sort: 'rate', filter: '', isTyping: false, isPaused: false, member: undefined, withRoutes: true },
}

export function routeOf(values: Partial<TopRoute>): TopRoute {
  return {
    ...{ method: 'GET', route: '/orders/{id}', rate: 12.34, requests: 1480, errors: 0 },
    ...{ p50: 0.0012, p95: 0.0345, p99: 1.5, mean: null, maximum: 2.25 },
    ...values,
  }
}

export function sampleOf(values: Partial<TopSample> = {}): TopSample {
  return {
    at: 1_700_000_090_000,
    source: 'console',
    application: {
      ...{ name: 'orders', version: '1.4.2', commit: '3f2a1c9d0b', startedAt: 1_700_000_000_000 },
      ...{ node: 'v22.13.0', pid: 4242, host: 'web-1' },
    },
    health: { status: 'UP', liveness: 'UP', readiness: 'UP', components: { db: 'UP' } },
    vitals: {
      ...{ requestRate: 123.4, errorRate: 0, p50: 0.0012, p95: 0.0345, p99: 1.5, mean: null, maximum: null, active: 3 },
      ...{ loopDelay: 0.012, loopUtilization: 0.456, cpu: 0.5, rss: 120 * 2 ** 20, heapUsed: 45 * 2 ** 20 },
      ...{ heapTotal: 64 * 2 ** 20, external: 3 * 2 ** 20, gc: 0.012 },
    },
    limits: { memory: 512 * 2 ** 20, heap: 256 * 2 ** 20, cpu: 2 },
    findings: [],
    routes: [routeOf({})],
    members: [],
    ...values,
  }
}

/** The document of the console that `sampleOf` is read from. */
export const overview = {
  now: 1_700_000_090_000,
  application: sampleOf().application,
  findings: [{ kind: 'health', severity: 'critical', text: 'db is DOWN: refused', link: '#/health' }],
  health: { status: 'DOWN', liveness: 'UP', readiness: 'UP', components: { db: 'DOWN' } },
  vitals: { at: 1_700_000_089_000, ...sampleOf().vitals },
  limits: sampleOf().limits,
  members: ['0', '1'],
}

export const requests = { now: overview.now, windowSeconds: 60, routes: [routeOf({})], omittedRequests: 0, recent: [] }
