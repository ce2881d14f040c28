import { getEventListeners } from 'node:events'
import { createMeterRegistry } from 'upkeep/metrics'
import { afterEach, expect, it, vi } from 'vitest'
import { type Attempt, createAttempt } from '../../../src/otlp/delivery/attempt.ts'
import { createDelivery } from '../../../src/otlp/delivery/delivery.ts'
import { createExportMeters } from '../../../src/otlp/delivery/export-meters.ts'
import { FlushWindow } from '../../../src/otlp/delivery/flush-window.ts'
import { createLossReport } from '../../../src/otlp/delivery/loss-report.ts'
import { useFakeTime } from '../../support/fake-time.ts'

const clock = useFakeTime()

afterEach(() => {
  vi.restoreAllMocks()
})

function setUp(statuses: readonly number[], window?: FlushWindow) {
  const meters = createMeterRegistry()
  const timeouts: number[] = []
  const delivery = createDelivery<number>({
    signal: 'traces',
    sender: {
      async send(_items, timeout): Promise<Attempt> {
        timeouts.push(timeout)
        return { ...createAttempt(), status: statuses[timeouts.length - 1] ?? 200 }
      },
      abort() {},
    },
    hint: () => '',
    count: (items) => items,
    timeoutMilliseconds: 10_000,
    retriesForever: true,
    window,
    meters: createExportMeters(meters, ['traces'], () => 0),
    losses: createLossReport('traces', 'http://collector', () => {}, clock),
    clock,
    random: () => 0.5,
  })
  return { delivery, timeouts }
}

it('what is delivered at the end of a window waits for the next one', async () => {
  const window = new FlushWindow(clock)
  void window.open(clock.monotonicTime())
  const { delivery, timeouts } = setUp([], window)
  const delivered = delivery.deliver(1)
  await vi.advanceTimersByTimeAsync(0)
  expect(timeouts).toEqual([])
  void window.open(clock.monotonicTime() + 500)
  expect(await delivered).toBeUndefined()
  expect(timeouts).toEqual([500])
})

it('a retry that is due at the end of a window waits for the next one, without a timer', async () => {
  const window = new FlushWindow(clock)
  void window.open(clock.monotonicTime() + 1_000)
  const { delivery, timeouts } = setUp([503], window)
  const delivered = delivery.deliver(1)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(timeouts).toEqual([1_000])
  expect(vi.getTimerCount()).toBe(0)
  void window.open(clock.monotonicTime() + 2_000)
  expect(await delivered).toBeUndefined()
  expect(timeouts).toEqual([1_000, 2_000])
})

it.each([
  ['between retries', undefined],
  ['until the next window', () => new FlushWindow(clock)],
])('waiting %s leaves no listener behind', async (_, createWindow) => {
  const signals = new Set<AbortSignal>()
  const { addEventListener } = EventTarget.prototype
  vi.spyOn(EventTarget.prototype, 'addEventListener').mockImplementation(function (this: EventTarget, ...given) {
    if (this instanceof AbortSignal) signals.add(this)
    addEventListener.apply(this, given)
  })
  const window = createWindow?.()
  const { delivery } = setUp([503, 503], window)
  const delivered = delivery.deliver(1)
  await vi.advanceTimersByTimeAsync(0)
  for (let second = 0; second < 5; second += 1) {
    void window?.open(clock.monotonicTime() + 1)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(await delivered).toBeUndefined()
  expect(signals.size).toBe(1)
  for (const signal of signals) expect(getEventListeners(signal, 'abort')).toEqual([])
})
