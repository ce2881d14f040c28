import type { HealthCheck } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { CheckRun, type CheckRunOptions } from '../../src/health/checks/check-run.ts'
import { unlimited } from '../../src/health/checks/concurrency-limit.ts'
import { createCheckInvoker } from '../../src/health/checks/invoke-check.ts'
import { deferred } from '../support/deferred.ts'
import { useFakeTime } from '../support/fake-time.ts'

const clock = useFakeTime()

const down = (error: string) => ({ status: 'DOWN', details: { error } })
const invalid = (received: string) =>
  down(`TypeError: expected a status such as 'UP', or { status, details }, received ${received}`)
const timedOut = down('TimeoutError: no response within 5000 ms')

function startRun(check: HealthCheck, timeoutMilliseconds: number, options: Partial<CheckRunOptions> = {}): CheckRun {
  const run = new CheckRun({
    check,
    timeoutMilliseconds,
    invoke: createCheckInvoker(),
    limit: unlimited,
    cancellers: new Set(),
    onResult: () => {},
    clock,
    ...options,
  })
  run.start()
  return run
}

describe('a run of a check', () => {
  it.each<[string, HealthCheck, object]>([
    ['returns a status', () => 'UP', { status: 'UP' }],
    ['resolves with a status', async () => 'OUT_OF_SERVICE', { status: 'OUT_OF_SERVICE' }],
    ['resolves with a health', async () => ({ status: 'UP', details: { a: 1 } }), { status: 'UP', details: { a: 1 } }],
    [
      'throws',
      () => {
        throw new RangeError('no')
      },
      down('RangeError: no'),
    ],
    ['rejects', () => Promise.reject(new Error('no')), down('Error: no')],
    ['rejects with undefined', () => Promise.reject(), down('undefined')],
    [
      'rejects with a value that cannot be described',
      () => Promise.reject({ a: 1n }),
      down('an error that cannot be described'),
    ],
    ['returns undefined', (() => undefined) as never, invalid('undefined')],
    ['resolves with a number', (async () => 200) as never, invalid('a number')],
    [
      'returns an object with a throwing getter',
      () => ({
        get status(): string {
          throw new Error('not now')
        },
      }),
      down('Error: not now'),
    ],
    [
      'returns a foreign promise',
      // biome-ignore lint/suspicious/noThenProperty: the promise of another library is such an object
      (() => ({ then: (resolve: (status: string) => void) => resolve('UP') })) as never,
      { status: 'UP' },
    ],
    [
      'returns a promise that is settled several times',
      () =>
        new Promise((resolve, reject) => {
          resolve('UP')
          resolve('DOWN')
          reject(new Error('no'))
        }),
      { status: 'UP' },
    ],
    [
      'returns a foreign promise that settles twice and throws',
      (() => ({
        // biome-ignore lint/suspicious/noThenProperty: the promise of another library is such an object
        then(resolve: (status: string) => void, reject: (error: unknown) => void) {
          resolve('UP')
          reject(new Error('no'))
          throw new Error('again')
        },
      })) as never,
      { status: 'UP' },
    ],
    [
      'returns a promise whose then throws',
      (() => ({
        // biome-ignore lint/suspicious/noThenProperty: the promise of another library is such an object
        get then() {
          throw new Error('not for you')
        },
      })) as never,
      down('Error: not for you'),
    ],
  ])('has a result, and leaves no timer active, if the check %s', async (_, check, health) => {
    const run = startRun(check, 5000)
    expect(await run.health).toEqual(health)
    await run.settled
    expect(vi.getTimerCount()).toBe(0)
  })

  it('reports DOWN and aborts the signal when a check exceeds its timeout', async () => {
    const check = vi.fn<HealthCheck>(() => new Promise(() => {}))
    const onHealth = vi.fn()
    const { health } = startRun(check, 5000)
    void health.then(onHealth)
    await vi.advanceTimersByTimeAsync(4999)
    const signal = check.mock.calls[0]?.[0]
    expect([onHealth.mock.calls, signal?.aborted]).toEqual([[], false])
    await vi.advanceTimersByTimeAsync(1)
    expect([onHealth.mock.calls, signal?.aborted]).toEqual([[[timedOut]], true])
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError', message: 'no response within 5000 ms' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each(['resolve', 'reject'] as const)(
    'ignores what a check returns after its timeout (%s), and has settled then',
    async (way) => {
      const answer = deferred<string>()
      const settled = vi.fn()
      const run = startRun(() => answer.promise, 5000)
      void run.settled.then(settled)
      await vi.advanceTimersByTimeAsync(60_000)
      expect(await run.health).toEqual(timedOut)
      expect(settled).not.toHaveBeenCalled()
      answer[way]('UP')
      await vi.advanceTimersByTimeAsync(0)
      expect(settled).toHaveBeenCalledTimes(1)
      expect(await run.health).toEqual(timedOut)
    },
  )

  it('reports the timeout even if the check rejects on abort', async () => {
    const check: HealthCheck = (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))))
    const { health, settled } = startRun(check, 5000)
    await vi.advanceTimersByTimeAsync(5000)
    expect(await health).toEqual(timedOut)
    await settled
  })

  it.each([2 ** 31, Number.POSITIVE_INFINITY])(
    'supports a timeout of %d ms, longer than the maximum delay of a timer',
    async (timeout) => {
      const answer = deferred<string>()
      const { health } = startRun(() => answer.promise, timeout)
      await vi.advanceTimersByTimeAsync(86_400_000)
      answer.resolve('UP')
      expect(await health).toEqual({ status: 'UP' })
    },
  )

  it('reports its result once, with the time from the invocation of the check', async () => {
    const onResult = vi.fn()
    const answer = deferred<string>()
    const { health, settled } = startRun(() => answer.promise, 5000, { onResult })
    await vi.advanceTimersByTimeAsync(1200)
    answer.resolve('UP')
    await Promise.all([health, settled])
    expect(onResult.mock.calls).toEqual([[{ status: 'UP' }, 1200]])
  })

  it('reports its result at the timeout, and not again when the check settles', async () => {
    const onResult = vi.fn()
    const answer = deferred<string>()
    const { settled } = startRun(() => answer.promise, 5000, { onResult })
    await vi.advanceTimersByTimeAsync(5000)
    expect(onResult.mock.calls).toEqual([[timedOut, 5000]])
    answer.resolve('UP')
    await settled
    expect(onResult).toHaveBeenCalledTimes(1)
  })

  it('can be cancelled, with a reason that is passed to the check', async () => {
    const cancellers = new Set<(reason: DOMException) => void>()
    const check = vi.fn<HealthCheck>(() => new Promise(() => {}))
    const { health } = startRun(check, 5000, { cancellers })
    for (const cancel of cancellers) cancel(new DOMException('enough', 'AbortError'))
    expect(await health).toEqual(down('AbortError: enough'))
    expect(check.mock.calls[0]?.[0].reason).toMatchObject({ name: 'AbortError', message: 'enough' })
    expect([cancellers.size, vi.getTimerCount()]).toEqual([0, 0])
  })

  it('is not started after its timeout has passed in the queue', async () => {
    const [check, release, onResult, settled] = [vi.fn(() => 'UP'), vi.fn(), vi.fn(), vi.fn()]
    const run = startRun(check, 5000, { limit: { acquire: () => release }, onResult })
    void run.settled.then(settled)
    await vi.advanceTimersByTimeAsync(5000)
    expect(await run.health).toEqual(
      down('TimeoutError: not started, because of the concurrency limit, within 5000 ms'),
    )
    expect([release.mock.calls.length, settled.mock.calls.length]).toEqual([1, 1])
    expect([check.mock.calls, onResult.mock.calls, vi.getTimerCount()]).toEqual([[], [], 0])
  })
})
