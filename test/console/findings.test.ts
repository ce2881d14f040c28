import { describe, expect, it } from 'vitest'
import type { HealthNode, PoolFacts, RouteFacts, Vitals } from '../../src/console/documents.ts'
import { type FindingsInput, findFindings } from '../../src/console/findings.ts'
import { History } from '../../src/console/vitals/history.ts'

const calm: Vitals = {
  ...{ at: 0, requestRate: 10, errorRate: 0, p50: 0.01, p95: 0.02, p99: 0.03, active: 1 },
  ...{ loopDelay: 0.002, loopUtilization: 0.1, cpu: 0.1, rss: 1e8, heapUsed: 5e7, heapTotal: 6e7, external: 0, gc: 0 },
}

const up: HealthNode = { path: '', status: 'UP', components: [{ path: 'db', status: 'UP', components: [] }] }
const route: RouteFacts = {
  ...{ method: 'GET', route: '/orders/:id', rate: 1, requests: 100, errors: 0, p50: 0.01, p95: 0.02, p99: 0.03 },
  ...{ maximum: 0.1, total: 100, lastAt: 0 },
}

function historyOf(step: number, samples: readonly Partial<Vitals>[]): History {
  const history = new History(step, 1_000)
  for (const sample of samples) history.add({ ...calm, ...sample })
  return history
}

function find(given: Partial<FindingsInput> = {}) {
  return findFindings({
    ...{
      now: 600_000,
      vitals: calm,
      limits: { memory: 1e9, heap: 1e9, cpu: 2 },
      health: up,
      reasonOf: () => undefined,
      blockSince: () => undefined,
    },
    ...{ pools: [], routes: [route], seconds: historyOf(1, [{}]), minutes: historyOf(60, [{}]) },
    ...given,
  })
}

const repeat = (count: number, sample: Partial<Vitals>) => Array.from({ length: count }, () => sample)
const busyPool: PoolFacts = { name: 'orders', used: 10, idle: 0, maximum: 10, waiting: 4 }

describe('findFindings', () => {
  it('finds nothing in a healthy service', () => {
    expect(find()).toEqual([])
    expect(find({ health: undefined, routes: [] })).toEqual([])
  })

  it('says which component is DOWN, since when and why', () => {
    const db = { path: 'db/orders', status: 'DOWN', since: 480_000, components: [] }
    const health = { ...up, status: 'DOWN', components: [{ path: 'db', status: 'DOWN', components: [db] }] }
    expect(find({ health, reasonOf: () => 'connect ECONNREFUSED' })).toEqual([
      {
        kind: 'health',
        severity: 'critical',
        since: 480_000,
        text: 'db/orders is DOWN for 2 min: connect ECONNREFUSED',
        link: '#/health?component=db%2Forders',
      },
    ])
  })

  it.each<[string, Partial<FindingsInput>, string]>([
    ['a route that fails', { routes: [{ ...route, errors: 30 }] }, '30 % of 100 requests to GET /orders/:id failed'],
    [
      'a blocked event loop',
      { seconds: historyOf(1, [{ loopDelay: 1.2 }, {}, {}]) },
      'The event loop was blocked for 1.2 s in the last minute',
    ],
    ['memory near its limit', { vitals: { ...calm, rss: 9.5e8 } }, 'The memory of the process is at 95 % of its limit'],
    ['a heap near its limit', { vitals: { ...calm, heapUsed: 9.8e8 } }, 'The heap is at 98 % of its limit'],
    ['garbage collection', { vitals: { ...calm, gc: 0.4 } }, 'Garbage collection takes 40 % of the time'],
    ['an exhausted pool', { pools: [busyPool] }, 'The pool orders is exhausted: 10 connections in use, 4 waiting'],
    [
      'a route that is slower than usual',
      { routes: [{ ...route, p99: 0.4, usualP99: 0.05 }] },
      'The 99th percentile of GET /orders/:id is 400 ms, 8 times what it usually is',
    ],
    [
      'slow requests',
      { seconds: historyOf(1, repeat(60, { p99: 0.4 })), minutes: historyOf(60, repeat(60, { p99: 0.05 })) },
      'The 99th percentile of all requests is 400 ms, 8 times that of the last hour',
    ],
  ])('finds %s', (_, given, text) => {
    expect(find(given).map((finding) => finding.text)).toEqual([text])
  })

  it.each<[string, Partial<FindingsInput>]>([
    ['failures among few requests', { routes: [{ ...route, requests: 10, errors: 10 }] }],
    ['a route that is slow as usual', { routes: [{ ...route, p99: 0.4, usualP99: 0.3 }] }],
    ['few slow requests to a route', { routes: [{ ...route, requests: 10, p99: 0.4, usualP99: 0.05 }] }],
    ['a full pool that nothing waits for', { pools: [{ ...busyPool, waiting: 0 }] }],
    ['a pause more than a minute ago', { seconds: historyOf(1, [{ loopDelay: 5 }, ...repeat(60, {})]) }],
    ['slow requests without an hour to compare with', { seconds: historyOf(1, repeat(60, { p99: 5 })) }],
    [
      'a night without requests',
      { seconds: historyOf(1, repeat(60, { p99: null })), minutes: historyOf(60, repeat(60, { p99: 0.05 })) },
    ],
  ])('does not report %s', (_, given) => {
    expect(find(given)).toEqual([])
  })

  it('names the function that blocked the event loop, as far as the recorder has captured it', () => {
    const seconds = historyOf(1, [{ loopDelay: 1.2 }])
    const block = { captureId: 'c1', at: 590_000, seconds: 1.2, place: 'parseCsv, orders.js:41' }
    const findingOf = (captured: Partial<typeof block>) =>
      find({ seconds, blockSince: () => ({ ...block, ...captured }) })
    expect(findingOf({})).toMatchObject([
      {
        text: 'The event loop was blocked for 1.2 s by parseCsv, orders.js:41, in the last minute',
        link: '#/diagnostics?capture=c1',
      },
    ])
    expect(findingOf({ seconds: 3 })[0]).toMatchObject({
      severity: 'critical',
      text: expect.stringContaining('for 3 s'),
    })
    expect(findingOf({ seconds: 0.6 })[0]?.link).toBe('#/diagnostics')
  })

  it('lists what is critical first, and at most 20', () => {
    const down = Array.from({ length: 40 }, (_, at) => ({ path: `c${at}`, status: 'DOWN', components: [] }))
    const findings = find({ pools: [busyPool], health: { ...up, components: down } })
    expect(findings).toHaveLength(20)
    expect(findings.every(({ severity }) => severity === 'critical')).toBe(true)
    const [first, second] = find({ pools: [busyPool], routes: [{ ...route, errors: 90 }] })
    expect([first?.kind, second?.kind]).toEqual(['errors', 'pool'])
  })
})
