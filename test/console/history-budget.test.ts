import { afterEach, describe, expect, it, vi } from 'vitest'
import { startConsole } from '../../src/console/console.ts'
import { HealthHistory } from '../../src/console/health-history.ts'
import type { HealthChange } from '../../src/health/changes.ts'
import type { EndedRequest } from '../../src/instrumentation/http-server/ended-request.ts'
import { publishLogEvent } from '../../src/logging/events/sinks.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { endedRequest } from './ended-request.ts'

const hourSeconds = 3_600

/** Returns a change of a component, with a long reason. */
function changeAt(second: number): HealthChange {
  const [from, to] = second % 2 === 0 ? (['UP', 'DOWN'] as const) : (['DOWN', 'UP'] as const)
  return { kind: 'component', component: `db/${second % 7}`, from, to, reason: 'x'.repeat(200) }
}

/** Starts a console whose time passes by `pass`: each second has requests, log records and a change of health. */
function startConsoleOfAService(maximumBytes: number) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  // A system call, 90,000 times a day.
  vi.spyOn(process, 'memoryUsage').mockReturnValue({ ...process.memoryUsage() })
  const clock = createManualClock()
  let record: (request: EndedRequest) => void = () => {}
  let change: (change: HealthChange) => void = () => {}
  const console = startConsole({
    options: { maximumBytes, slowSeconds: 1 },
    ...{ application: { name: 'orders' }, showsDetails: true, clock, report: () => {}, onCapture: () => {} },
    ...{ showsCommit: false, levelChanges: undefined },
    source: () => ({ snapshot: () => [] }) as never,
    observation: {
      onRequestEnd: (added: typeof record) => {
        record = added
        return () => {}
      },
      ...{ activeRequests: () => ({ total: 0, oldest: [] }), redactPath: (path: string) => path },
    } as never,
    aggregator: {
      whole: { report: () => ({ status: 'UP', components: {} }) },
      ...{ groups: new Map(), runChecks: () => {}, latestRunOf: () => undefined },
      onChange: (added: typeof change) => {
        change = added
        return () => {}
      },
    } as never,
  })
  let second = 0
  const pass = (seconds: number) => {
    for (const end = second + seconds; second < end; second++) {
      clock.advance(1_000)
      const given = { endedAt: clock.monotonicTime(), seconds: 0.01 * (1 + (second % 200)) }
      record(endedRequest({ ...given, template: `/orders/${second % 500}/:id`, target: `/orders/${second}` }))
      if (second % 60 === 0) record(endedRequest({ ...given, status: 500, error: new Error(`failed ${second}`) }))
      change(changeAt(second))
      publishLogEvent({
        ...{
          time: clock.wallTime(),
          level: 'INFO',
          severity: 9,
          logger: 'orders',
          message: 'x'.repeat(second % 400),
        },
        ...{ error: undefined, attributes: { order: second }, trace: undefined },
      })
      vi.advanceTimersByTime(1_000)
    }
  }
  const read = async () => {
    const { history } = await console.overview()
    const { changes } = await console.health()
    const { recent, routes } = console.requests({ limit: 10_000 })
    const { records } = console.logs.read({ limit: 1_000 })
    return { history, counts: [changes.length, recent.length, routes.length, records.length], recent, changes }
  }
  return { console, clock, pass, read }
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the histories of the console', () => {
  it('have the size after a day that they had after two hours', async () => {
    const { console, clock, pass, read } = startConsoleOfAService(2 ** 20)
    pass(2 * hourSeconds)
    const early = await read()
    pass(22 * hourSeconds)
    const late = await read()
    console.close()
    expect(late.counts).toEqual(early.counts)
    expect(late.counts.every((count) => count > 10)).toBe(true)
    expect(late.history.bytes).toBeGreaterThan(0.5 * 2 ** 20)
    expect([late.changes[0]?.at, late.recent[0]?.route]).toEqual([clock.wallTime(), '/orders/399/:id'])
  })

  it.each([2 ** 20, 4 * 2 ** 20])('are within their budget of %i bytes', async (maximumBytes) => {
    const { console, pass, read } = startConsoleOfAService(maximumBytes)
    for (let part = 0; part < 4; part++) {
      pass(hourSeconds / 6)
      const { history } = await read()
      expect(history.bytes).toBeLessThanOrEqual(maximumBytes)
    }
    console.close()
  })

  it('take no sample after closing, and have no timer', () => {
    const { console, pass } = startConsoleOfAService(2 ** 20)
    pass(2)
    const { latest } = console.sampler
    console.close()
    expect(vi.getTimerCount()).toBe(0)
    pass(2)
    expect(console.sampler.latest).toBe(latest)
    expect(console.logs.read({}).records).toEqual([])
  })
})

describe('HealthHistory', () => {
  it('drops the oldest changes beyond its budget', () => {
    const clock = createManualClock()
    const history = new HealthHistory(clock, () => undefined, 40_000)
    for (let second = 0; second < 1_000; second++) {
      clock.advance(1_000)
      history.add(changeAt(second))
    }
    expect(history.bytes).toBeLessThanOrEqual(40_000)
    expect(history.bytes).toBeGreaterThan(35_000)
    expect(history.read()[0]?.at).toBe(1_000_000)
    expect(history.read().length).toBe(Math.floor(40_000 / (history.bytes / history.read().length)))
  })
})
