import type { HealthCheck } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { runCheck } from '../../src/health/checks/run-check.ts'
import { defer, holdTime } from '../support/fake-time.ts'

const clock = holdTime()

const down = (error: string) => ({ status: 'DOWN', details: { error } })
const rubbish = down("TypeError: a health check must answer a status such as 'UP', or { status, details }")
const late = down('TimeoutError: no answer within 5000 ms')

describe('runCheck', () => {
  it.each<[string, HealthCheck, object]>([
    ['answers a status', () => 'UP', { status: 'UP' }],
    ['answers a status later', async () => 'OUT_OF_SERVICE', { status: 'OUT_OF_SERVICE' }],
    ['answers a health', async () => ({ status: 'UP', details: { a: 1 } }), { status: 'UP', details: { a: 1 } }],
    [
      'throws',
      () => {
        throw new RangeError('no')
      },
      down('RangeError: no'),
    ],
    ['rejects', () => Promise.reject(new Error('no')), down('Error: no')],
    ['rejects with nothing', () => Promise.reject(), down('undefined')],
    ['throws what cannot be described', () => Promise.reject({ a: 1n }), down('an error that cannot be described')],
    ['answers nothing', (() => undefined) as never, rubbish],
    ['answers a number', (async () => 200) as never, rubbish],
    [
      'answers what throws when it is looked at',
      () => ({
        get status(): string {
          throw new Error('not now')
        },
      }),
      down('Error: not now'),
    ],
    [
      'answers a promise of another kind',
      // biome-ignore lint/suspicious/noThenProperty: the promise of another library is such an object
      (() => ({ then: (resolve: (status: string) => void) => resolve('UP') })) as never,
      { status: 'UP' },
    ],
    [
      'answers twice',
      () =>
        new Promise((resolve, reject) => {
          resolve('UP')
          resolve('DOWN')
          reject(new Error('no'))
        }),
      { status: 'UP' },
    ],
    [
      'answers a promise that settles twice, and throws besides',
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
      'answers a promise that cannot be listened to',
      (() => ({
        // biome-ignore lint/suspicious/noThenProperty: the promise of another library is such an object
        get then() {
          throw new Error('not for you')
        },
      })) as never,
      down('Error: not for you'),
    ],
  ])('judges a check that %s, and leaves no timer behind', async (_, check, health) => {
    const { health: judged, ended } = runCheck(check, 5000)
    expect(await judged).toEqual(health)
    await ended
    expect(vi.getTimerCount()).toBe(0)
  })

  it('calls down a check that hangs, at its deadline and not before, and aborts it', async () => {
    const check = vi.fn<HealthCheck>(() => new Promise(() => {}))
    const settled = vi.fn()
    const { health } = runCheck(check, 5000)
    void health.then(settled)
    await vi.advanceTimersByTimeAsync(4999)
    const signal = check.mock.calls[0]?.[0]
    expect([settled.mock.calls, signal?.aborted]).toEqual([[], false])
    await vi.advanceTimersByTimeAsync(1)
    expect([settled.mock.calls, signal?.aborted]).toEqual([[[late]], true])
    expect(signal?.reason).toMatchObject({ name: 'TimeoutError', message: 'no answer within 5000 ms' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each(['resolve', 'reject'] as const)(
    'does not hear what a check says late (%s), but knows that it has ended',
    async (way) => {
      const answer = defer<string>()
      const ended = vi.fn()
      const run = runCheck(() => answer.promise, 5000)
      void run.ended.then(ended)
      await vi.advanceTimersByTimeAsync(60_000)
      expect(await run.health).toEqual(late)
      expect(ended).not.toHaveBeenCalled()
      answer[way]('UP')
      await vi.advanceTimersByTimeAsync(0)
      expect(ended).toHaveBeenCalledTimes(1)
      expect(await run.health).toEqual(late)
    },
  )

  it('hears of the deadline what the check says about it', async () => {
    const check: HealthCheck = (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))))
    const { health, ended } = runCheck(check, 5000)
    await vi.advanceTimersByTimeAsync(5000)
    expect(await health).toEqual(late)
    await ended
  })

  it.each([2 ** 31, Number.POSITIVE_INFINITY])(
    'waits for a deadline of %d ms, longer than a timer can be',
    async (deadline) => {
      const answer = defer<string>()
      const { health } = runCheck(() => answer.promise, deadline)
      await vi.advanceTimersByTimeAsync(86_400_000)
      answer.resolve('UP')
      expect(await health).toEqual({ status: 'UP' })
    },
  )

  it('is told of once, with how long it took until it was known how it is', async () => {
    const observe = vi.fn()
    const answer = defer<string>()
    const { health, ended } = runCheck(() => answer.promise, 5000, { observe, clock })
    await vi.advanceTimersByTimeAsync(1200)
    answer.resolve('UP')
    await Promise.all([health, ended])
    expect(observe.mock.calls).toEqual([[{ status: 'UP' }, 1200]])
  })

  it('is told of at its deadline, and not again when it ends', async () => {
    const observe = vi.fn()
    const answer = defer<string>()
    const { ended } = runCheck(() => answer.promise, 5000, { observe, clock })
    await vi.advanceTimersByTimeAsync(5000)
    expect(observe.mock.calls).toEqual([[late, 5000]])
    answer.resolve('UP')
    await ended
    expect(observe).toHaveBeenCalledTimes(1)
  })

  it('can be given up, with a reason that the check hears too', async () => {
    const endings = new Set<(reason: DOMException) => void>()
    const check = vi.fn<HealthCheck>(() => new Promise(() => {}))
    const { health } = runCheck(check, 5000, { endings })
    for (const end of endings) end(new DOMException('enough', 'AbortError'))
    expect(await health).toEqual(down('AbortError: enough'))
    expect(check.mock.calls[0]?.[0].reason).toMatchObject({ name: 'AbortError', message: 'enough' })
    expect([endings.size, vi.getTimerCount()]).toEqual([0, 0])
  })

  it('waits for its turn within its deadline, and is not run after it', async () => {
    const [check, leave, observe, ended] = [vi.fn(() => 'UP'), vi.fn(), vi.fn(), vi.fn()]
    const run = runCheck(check, 5000, { places: { enter: () => leave }, observe })
    void run.ended.then(ended)
    await vi.advanceTimersByTimeAsync(5000)
    expect(await run.health).toEqual(down('TimeoutError: no turn among the checks that run at once within 5000 ms'))
    expect([leave.mock.calls.length, ended.mock.calls.length]).toEqual([1, 1])
    expect([check.mock.calls, observe.mock.calls, vi.getTimerCount()]).toEqual([[], [], 0])
  })
})
