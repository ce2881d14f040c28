import { createMeterRegistry } from 'upkeep/metrics'
import { describe, expect, it, vi } from 'vitest'
import { type Attempt, createAttempt } from '../../../src/otlp/delivery/attempt.ts'
import { createDelivery } from '../../../src/otlp/delivery/delivery.ts'
import { createExportMeters } from '../../../src/otlp/delivery/export-meters.ts'
import { createLossReport } from '../../../src/otlp/delivery/loss-report.ts'
import { useFakeTime } from '../../support/fake-time.ts'

const clock = useFakeTime()

/** A sender whose requests take a time, and have the outcomes that are listed; the last one again and again. */
function setUp(outcomes: readonly Partial<Attempt>[], took = 0, retriesForever = false) {
  const meters = createMeterRegistry()
  const acknowledged: number[] = []
  const reports: string[] = []
  const requests: { readonly at: number; readonly items: number; readonly timeout: number }[] = []
  const aborts = new Set<() => void>()
  const delivery = createDelivery<number>({
    signal: 'traces',
    sender: {
      send(items, timeout) {
        requests.push({ at: clock.monotonicTime(), items, timeout })
        const outcome = { ...createAttempt(), ...outcomes[Math.min(requests.length, outcomes.length) - 1] }
        return new Promise((resolve) => {
          const timer = setTimeout(() => resolve(outcome), took)
          aborts.add(() => {
            clearTimeout(timer)
            resolve({ ...createAttempt(), errorCode: 'ABORTED' })
          })
        })
      },
      abort() {
        for (const abort of aborts) abort()
      },
    },
    hint: () => '',
    count: (items) => items,
    acknowledge: (items) => acknowledged.push(items),
    timeoutMilliseconds: 10_000,
    retriesForever,
    meters: createExportMeters(meters, ['traces'], () => 0),
    losses: createLossReport('traces', 'http://collector', (message) => reports.push(message), clock),
    clock,
    random: () => 0.5,
  })
  const start = clock.monotonicTime()
  const results: (readonly [number, number, ...string[]])[] = []
  return {
    delivery,
    acknowledged,
    reports,
    requests: () => requests.map(({ at, ...rest }) => ({ ...rest, at: at - start })),
    results: () => results,
    export: (items: number) =>
      void delivery.deliver(items, clock.monotonicTime() + 30_000).then((error) => {
        const at = clock.monotonicTime() - start
        results.push(error === undefined ? [0, at] : [1, at, error.message])
      }),
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

  describe('that retries forever', () => {
    it.each<[string, Partial<Attempt>]>([
      ['unavailable', { status: 503 }],
      ['unreachable', { errorCode: 'ECONNREFUSED' }],
      ['silent', { errorCode: 'TIMEOUT' }],
    ])('sends items until they arrive while the receiver is %s', async (_, outcome) => {
      const away = new Array<Partial<Attempt>>(7).fill(outcome)
      const { export: send, requests, results, reports } = setUp([...away, { status: 200 }], 0, true)
      send(3)
      await vi.runAllTimersAsync()
      expect(requests().map(({ at }) => at)).toEqual([0, 1_000, 2_500, 4_750, 8_125, 13_125, 18_125, 23_125])
      expect(results()).toEqual([[0, 23_125]])
      expect(reports).toEqual([
        expect.stringMatching(/^otlp: spans for http:\/\/collector are queued until it accepts them: /),
      ])
    })

    it('gives up items that the receiver refuses', async () => {
      const { export: send, requests, results } = setUp([{ status: 503 }, { status: 400, text: 'malformed' }], 0, true)
      send(3)
      await vi.runAllTimersAsync()
      expect(requests()).toHaveLength(2)
      expect(results()).toEqual([[1, 1_000, '400 malformed']])
    })
  })
})
