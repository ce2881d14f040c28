import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it, vi } from 'vitest'
import { type Attempt, createAttempt } from '../../../src/otlp/delivery/attempt.ts'
import { createDelivery, type ExportResult } from '../../../src/otlp/delivery/delivery.ts'
import { createExportMeters } from '../../../src/otlp/delivery/export-meters.ts'
import { createLossReport } from '../../../src/otlp/delivery/loss-report.ts'
import { useFakeTime } from '../../support/fake-time.ts'

const clock = useFakeTime()

/** An exporter whose requests take a time, and have the outcomes that are listed; the last one again and again. */
function setUp(outcomes: readonly Partial<Attempt>[], took = 0) {
  const meters = createMeterRegistry()
  const acknowledged: number[] = []
  const requests: { readonly at: number; readonly items: number; readonly timeout: number }[] = []
  let attempt = createAttempt()
  let timeout = 0
  const aborts: (() => void)[] = []
  const delivery = createDelivery<number>({
    signal: 'traces',
    exporter: {
      export(items, done) {
        requests.push({ at: clock.monotonicTime(), items, timeout })
        const outcome = outcomes[Math.min(requests.length, outcomes.length) - 1] ?? {}
        const timer = setTimeout(() => {
          Object.assign(attempt, outcome)
          done({ code: outcome.status === 200 ? 0 : 1 })
        }, took)
        aborts.push(() => {
          clearTimeout(timer)
          done({ code: 1 })
        })
      },
      shutdown: async () => {},
    },
    agent: {
      create: () => {
        throw new Error('no connection is made here')
      },
      get attempt() {
        return attempt
      },
      begin(milliseconds) {
        attempt = createAttempt()
        timeout = milliseconds
      },
      abort() {
        attempt.errorCode = 'ABORTED'
        for (const abort of aborts) abort()
      },
    },
    hint: '',
    count: (items) => items,
    acknowledge: (items) => acknowledged.push(items),
    timeoutMilliseconds: 10_000,
    patienceMilliseconds: 30_000,
    meters: createExportMeters(meters, ['traces'], () => 0),
    losses: createLossReport('traces', 'http://collector', () => {}, clock),
    clock,
    random: () => 0.5,
  })
  const start = clock.monotonicTime()
  const results: (ExportResult & { readonly at: number })[] = []
  return {
    delivery,
    acknowledged,
    requests: () => requests.map(({ at, ...rest }) => ({ ...rest, at: at - start })),
    results: () => results.map(({ code, at, error }) => [code, at - start, ...(error ? [error.message] : [])]),
    export: (items: number) =>
      delivery.export(items, (result) => results.push({ ...result, at: clock.monotonicTime() })),
  }
}

describe('createDelivery', () => {
  it('retries at increasing intervals within the timeout', async () => {
    const { export: send, requests, results } = setUp([{ status: 503 }])
    send(1)
    await vi.runAllTimersAsync()
    expect(requests()).toEqual([
      { items: 1, at: 0, timeout: 10_000 },
      { items: 1, at: 1_000, timeout: 9_000 },
      { items: 1, at: 2_500, timeout: 7_500 },
      { items: 1, at: 4_750, timeout: 5_250 },
      { items: 1, at: 8_125, timeout: 1_875 },
    ])
    expect(results()).toEqual([[1, 8_125, '503']])
  })

  it('waits as long as the receiver requests', async () => {
    const {
      export: send,
      requests,
      acknowledged,
    } = setUp([{ status: 429, retryAfterMilliseconds: 7_000 }, { status: 200 }])
    send(4)
    await vi.runAllTimersAsync()
    expect(requests().map(({ at }) => at)).toEqual([0, 7_000])
    expect(acknowledged).toEqual([4])
  })

  it('retries immediately if the receiver requests no delay, and then at increasing intervals', async () => {
    const { export: send, requests } = setUp([{ status: 503, retryAfterMilliseconds: 0 }])
    send(1)
    await vi.runAllTimersAsync()
    expect(requests().map(({ at }) => at)).toEqual([0, 0, 1_000, 2_500, 4_750, 8_125])
  })

  it('waits longer than the default if the receiver requests that each time', async () => {
    const { export: send, requests } = setUp([{ status: 503, retryAfterMilliseconds: 3_000 }])
    send(1)
    await vi.runAllTimersAsync()
    expect(requests().map(({ at }) => at)).toEqual([0, 3_000, 6_000, 9_000])
  })

  it('delivers exports in order, one at a time', async () => {
    const { export: send, requests, results, delivery } = setUp([{ status: 200 }], 100)
    for (const items of [1, 2, 3]) send(items)
    const idle = delivery.idle().then(() => results().length)
    await vi.runAllTimersAsync()
    expect(requests().map(({ at, items }) => [items, at])).toEqual([
      [1, 0],
      [2, 100],
      [3, 200],
    ])
    expect(await idle).toBe(3)
  })

  it('fails an export whose time has passed in the queue', async () => {
    const { export: send, requests, results } = setUp([{ errorCode: 'TIMEOUT' }], 10_000)
    for (const items of [1, 2, 3, 4]) send(items)
    await vi.runAllTimersAsync()
    expect(requests().map(({ at }) => at)).toEqual([0, 10_000, 20_000])
    expect(results().map(([code, at]) => [code, at])).toEqual([
      [1, 10_000],
      [1, 20_000],
      [1, 30_000],
      [1, 30_000],
    ])
  })

  it('cancels pending retries and later exports on abort', async () => {
    const { export: send, requests, results, delivery } = setUp([{ status: 503, retryAfterMilliseconds: 9_000 }])
    send(1)
    send(2)
    await vi.advanceTimersByTimeAsync(500)
    delivery.abort()
    await vi.advanceTimersByTimeAsync(0)
    send(3)
    await vi.advanceTimersByTimeAsync(0)
    expect(requests()).toHaveLength(1)
    expect(results().map(([code, at]) => [code, at])).toEqual([
      [1, 500],
      [1, 500],
      [1, 500],
    ])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('cancels the current export on abort', async () => {
    const { export: send, results, delivery } = setUp([{ status: 200 }], 60_000)
    send(1)
    await vi.advanceTimersByTimeAsync(500)
    delivery.abort()
    await vi.advanceTimersByTimeAsync(0)
    expect(results()).toEqual([[1, 500, 'aborted before the receiver responded']])
    expect(vi.getTimerCount()).toBe(0)
  })
})
