import { describe, expect, it } from 'vitest'
import type { HealthNode, Vitals } from '../../../src/console/documents.ts'
import { RequestLog } from '../../../src/console/requests/request-log.ts'
import { RouteStatistics } from '../../../src/console/requests/route-statistics.ts'
import { SpanLog } from '../../../src/console/requests/span-log.ts'
import { History } from '../../../src/console/vitals/history.ts'
import { explain } from '../../../src/console/why/explain.ts'
import { LogShapes } from '../../../src/console/why/log-shapes.ts'
import { MinuteFloors } from '../../../src/console/why/minute-floors.ts'
import type { WhyInput } from '../../../src/console/why/why-input.ts'
import { renderWhy } from '../../../src/console/why/why-markdown.ts'
import { endedRequest } from '../ended-request.ts'

const calm: Vitals = {
  ...{ at: 0, requestRate: 10, errorRate: 0, p50: 0.01, p95: 0.02, p99: 0.03, active: 1 },
  ...{ loopDelay: 0.002, loopUtilization: 0.1, cpu: 0.1, rss: 1e8, heapUsed: 5e7, heapTotal: 6e7, external: 0, gc: 0 },
}
const minutes = 14

function inputOf(given: Partial<WhyInput> = {}): WhyInput {
  const now = minutes * 60_000
  const megabyte = 2 ** 20
  return {
    ...{ now, monotonicNow: now, startedAt: 0, vitals: calm, limits: { memory: 1e9, heap: 1e9, cpu: 2 } },
    ...{ health: undefined, changes: [], levels: [], pools: [], poolWaits: [], outgoing: [], lost: [] },
    routes: new RouteStatistics(megabyte),
    requests: new RequestLog({ maximumBytes: megabyte, slowSeconds: 1, redactPath: (path) => path }),
    ...{ spans: new SpanLog(megabyte), seconds: secondsOf({}) },
    ...{ histories: historiesOf(), blockSince: () => undefined },
    ...given,
  }
}

function historiesOf(given: Partial<WhyInput['histories']> = {}): WhyInput['histories'] {
  const traffic = () => ({ recent: 0, minutes: [] })
  return { logs: new LogShapes(), memory: new MinuteFloors(), traffic, shift: undefined, ...given }
}

function secondsOf(last: Partial<Vitals>): History {
  const history = new History(1, 900)
  for (let at = 0; at < 20; at++) history.add({ ...calm, ...last })
  return history
}

/** Requests of each minute to one route; the durations of the last one are those given. */
function routesOf(usual: number, last: readonly number[]): RouteStatistics {
  const routes = new RouteStatistics(2 ** 20)
  for (let minute = 1; minute < minutes; minute++) {
    for (let at = 0; at < 20; at++) routes.record(endedRequest({ endedAt: minute * 60_000, seconds: usual }))
  }
  for (const seconds of last) routes.record(endedRequest({ endedAt: minutes * 60_000, seconds }))
  return routes
}

const textsOf = (given: Partial<WhyInput>) => explain(inputOf(given), {}).statements.map(({ text }) => text)
const times = (count: number, seconds: number) => Array.from({ length: count }, () => seconds)

describe('explain', () => {
  it('has one line for a healthy service', () => {
    expect(explain(inputOf(), { name: 'orders' })).toMatchObject({ summary: 'Nothing is wrong.', statements: [] })
  })

  it.each<[string, Partial<WhyInput>, RegExp]>([
    ['a slow route', { routes: routesOf(0.01, times(20, 0.4)) }, /^The 99th percentile of GET \/orders\/:id is \d+ ms/],
    ['a busy event loop', { seconds: secondsOf({ loopUtilization: 0.99 }) }, /^The event loop has been busy for 99 %/],
    [
      'the function that blocked the event loop',
      {
        seconds: secondsOf({ loopDelay: 0.7 }),
        blockSince: () => ({ captureId: 'c1', at: 0, seconds: 0.7, place: 'parseCsv, orders.js:41' }),
      },
      /^The event loop was blocked for up to 700 ms by parseCsv, orders\.js:41, in /,
    ],
    [
      'a blocked event loop',
      { seconds: secondsOf({ loopDelay: 0.7 }) },
      /^The event loop was blocked for up to 700 ms/,
    ],
    ['garbage collection', { seconds: secondsOf({ gc: 0.4 }) }, /^Garbage collection took 40 % of the last 15 s/],
    ['a full heap', { vitals: { ...calm, heapUsed: 9.5e8 } }, /^The heap is at 95 % of its limit/],
    ['a jump of the clock', { histories: historiesOf({ shift: { at: 1, seconds: 3600 } }) }, /jumped by 3600 s$/],
    [
      'lost telemetry',
      { lost: [{ key: 'traces', recent: { calls: 7, errors: 7, total: 0 }, minutes: [] }] },
      /^7 traces did not reach/,
    ],
    [
      'a pool',
      { pools: [{ name: 'orders', used: 4, idle: 0, maximum: 4, waiting: 9 }] },
      /^The pool orders is exhausted: 4 of 4 connections are in use, 9 requests wait$/,
    ],
  ])('states %s', (_, given, text) => {
    expect(textsOf(given)).toEqual([expect.stringMatching(text)])
  })

  it('has what happened as markers, the latest first', () => {
    const changes = [{ at: 120_000, path: 'db', from: 'UP', to: 'DOWN' }]
    const levels = [{ at: 60_000, name: 'orders.db', from: 'INFO', to: 'DEBUG' } as const]
    const application = { version: '1.4.2', commit: '0123456789abcdef0123456789abcdef01234567' }
    expect(explain(inputOf({ changes, levels }), application).markers).toEqual([
      { at: 120_000, kind: 'health', text: 'db: UP → DOWN' },
      { at: 60_000, kind: 'log-level', text: 'level of orders.db: INFO → DEBUG' },
      { at: 0, kind: 'start', text: 'started, version 1.4.2, commit 0123456789ab' },
    ])
    expect(explain(inputOf({ now: 16 * 60_000, changes, levels }), {}).markers).toEqual([
      { at: 120_000, kind: 'health', text: 'db: UP → DOWN' },
      { at: 60_000, kind: 'log-level', text: 'level of orders.db: INFO → DEBUG' },
    ])
  })

  it('has at most 16 KB if loggers have long names', () => {
    const levels = times(20, 60_000).map((at) => ({ at, name: 'x'.repeat(5_000), from: 'INFO', to: 'DEBUG' }) as const)
    const document = explain(inputOf({ levels }), {})
    expect(document.markers).toHaveLength(20)
    expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(16_384)
  })

  it('states the growth of the heap, and when it reaches its limit', () => {
    const memory = new MinuteFloors()
    for (let minute = 0; minute < 10; minute++)
      memory.add({ at: minute * 60_000, heapUsed: 4e8 + 3e7 * minute, rss: 1e8 })
    const given = { vitals: { ...calm, heapUsed: 7e8 }, histories: historiesOf({ memory }) }
    expect(textsOf(given)).toEqual([expect.stringMatching(/grows by 29 MiB a minute, and reaches it in 10 min$/)])
  })

  it.each<[string, Partial<WhyInput>]>([
    ['a few slow requests of one pause', { routes: routesOf(0.01, [...times(30, 0.01), ...times(4, 0.4)]) }],
    ['a route that is slow as always', { routes: routesOf(0.4, times(20, 0.4)) }],
    ['much traffic alone', { histories: historiesOf({ traffic: () => ({ recent: 900, minutes: times(12, 40) }) }) }],
  ])('does not state %s', (_, given) => {
    expect(textsOf(given)).toEqual([])
  })

  it('has at most 16 KB, as Markdown as well, and counts what is left out', () => {
    const components: readonly HealthNode[] = Array.from({ length: 60 }, (_, at) => ({
      ...{ path: `component-${String(at).padStart(2, '0')}`, status: 'DOWN', components: [] },
      details: { error: '"é*'.repeat(200) },
    }))
    const health = { path: '', status: 'DOWN', components }
    const document = explain(inputOf({ health }), { name: 'orders' })
    expect(document.statements.length + document.omitted).toBe(60)
    expect(document.statements[0]?.text).toMatch(/^component-00 is DOWN/)
    expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThanOrEqual(16_384)
    expect(Buffer.byteLength(renderWhy(document, () => undefined))).toBeLessThanOrEqual(16_384)
    expect(explain(inputOf({ health }), { name: 'orders' })).toEqual(document)
  })
})
