import type { HealthCheck } from 'upkeep'
import { expect, it, vi } from 'vitest'
import { createAggregator } from '../../src/health/aggregator.ts'
import { collectGarbage, measureLiveHeap } from '../support/collect-garbage.ts'
import { useFakeTime } from '../support/fake-time.ts'

const clock = useFakeTime()

const components = 100
const never = new Promise<never>(() => {})

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

it.each<[string, HealthCheck]>([
  ['never settles', () => new Promise<never>(() => {})],
  ['returns the same promise that never settles', () => never],
  ['listens to its signal and never settles', (signal) => aborted(signal).then(() => new Promise<never>(() => {}))],
  ['rejects late', (signal) => aborted(signal).then(() => Promise.reject(new Error('late')))],
  ['resolves late', (signal) => aborted(signal).then(() => 'UP')],
])('10,000 checks that have timed out leave no memory behind: a check that %s', async (_, check) => {
  const signals: WeakRef<AbortSignal>[] = []
  const indicators = Object.fromEntries(
    Array.from({ length: components }, (_, at) => {
      const indicator = {
        check: (signal: AbortSignal) => {
          signals.push(new WeakRef(signal))
          return check(signal)
        },
        timeout: '1s',
      } as const
      return [`component ${at}`, indicator]
    }),
  )
  const health = createAggregator({ indicators, groups: { liveness: {}, readiness: {} } }, { clock, report: () => {} })

  /** Checks all components; a check that never settles is abandoned before the next time. */
  async function miss(times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      const report = health.check()
      await vi.advanceTimersByTimeAsync(1_000)
      expect((await report)?.status).toBe('DOWN')
      await vi.advanceTimersByTimeAsync(10_000)
    }
  }

  const resources = process.getActiveResourcesInfo().length
  await miss(20)
  const before = await measureLiveHeap()
  await miss(100)
  const grown = (await measureLiveHeap()) - before

  expect(signals).toHaveLength(120 * components)
  // 200 bytes a check: less than a promise with a listener, with room for the test's own WeakRef of each signal.
  expect(grown).toBeLessThan(200 * 100 * components)
  collectGarbage()
  expect(signals.filter((signal) => signal.deref() !== undefined).length).toBeLessThanOrEqual(components)
  expect(vi.getTimerCount()).toBe(0)
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(resources)
})
