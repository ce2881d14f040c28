import type { HealthCheck } from 'upkeep'
import type { CheckedIndicator } from 'upkeep/health'
import { describe, expect, it, vi } from 'vitest'
import { createCheckedComponent } from '../../src/health/component.ts'
import { checkRunnerWith } from '../support/check-runner.ts'
import { type Deferred, deferred } from '../support/deferred.ts'
import { useFakeTime } from '../support/fake-time.ts'
import { createManualClock } from '../support/manual-clock.ts'

const clock = useFakeTime()
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

const up = { status: 'UP' }
const down = (error: string) => ({ status: 'DOWN', details: { error } })

/** Creates a component that is checked every ten seconds by default, and whose test settles each run. */
function backgroundCheck(options: Partial<CheckedIndicator> = {}, time = clock) {
  const runs: Deferred<string>[] = []
  const check: HealthCheck = () => {
    const run = deferred<string>()
    runs.push(run)
    return run.promise
  }
  const onStatusChange = vi.fn()
  const runner = checkRunnerWith(time, { onStatusChange })
  const component = createCheckedComponent({ check, refresh: '10s', ...options }, runner, 'db')
  const close = () => {
    for (const cancel of [...runner.cancellers]) cancel(new DOMException('closed', 'AbortError'))
  }
  return {
    runs,
    request: () => component.check(time.monotonicTime()),
    latest: () => component.latest(time.monotonicTime()),
    onStatusChange,
    close,
  }
}

describe('a background check', () => {
  it('runs from the next turn of the event loop on, without a request', async () => {
    const { runs, latest } = backgroundCheck()
    expect(runs).toHaveLength(0)
    await pass(0)
    expect([runs.length, latest()]).toEqual([1, undefined])
    runs[0]?.resolve('UP')
    await pass(0)
    expect(latest()).toEqual(up)
  })

  it('runs again after the interval, measured from each result', async () => {
    const { runs } = backgroundCheck()
    await pass(2_000)
    runs[0]?.resolve('UP')
    await pass(9_999)
    expect(runs).toHaveLength(1)
    await pass(1)
    expect(runs).toHaveLength(2)
  })

  it('returns the latest result synchronously, also while it runs and after it has failed', async () => {
    const { runs, request } = backgroundCheck()
    await pass(0)
    runs[0]?.resolve('UP')
    await pass(10_000)
    expect([runs.length, request()]).toEqual([2, up])
    runs[1]?.reject(new Error('no'))
    await pass(0)
    expect(request()).toEqual(down('Error: no'))
    await pass(9_000)
    expect(request()).toEqual(down('Error: no'))
    expect(runs).toHaveLength(2)
  })

  it('makes requests before the first result wait for it, without another run', async () => {
    const { runs, request } = backgroundCheck()
    const early = request()
    await pass(0)
    const requested = request()
    expect(runs).toHaveLength(1)
    runs[0]?.resolve('UP')
    expect([await early, await requested]).toEqual([up, up])
  })

  it('is DOWN when a run times out, and while that run is still active', async () => {
    const { runs, request } = backgroundCheck()
    await pass(5_000)
    expect(request()).toEqual(down('TimeoutError: no response within 5000 ms'))
    await pass(10_000)
    expect(request()).toEqual(down('TimeoutError: the previous check has not completed'))
    runs[0]?.resolve('UP')
    await pass(10_000)
    runs[1]?.resolve('UP')
    await pass(0)
    expect(request()).toEqual(up)
  })

  it('is DOWN with the reason when its latest result is too old, and runs then', async () => {
    // Timers do not fire while the time passes, as in a process that is frozen.
    const time = createManualClock()
    const { runs, request, latest, onStatusChange } = backgroundCheck({ staleAfter: '30s' }, time)
    await pass(0)
    runs[0]?.resolve('UP')
    await pass(0)
    time.advance(29_999)
    expect([request(), runs.length, onStatusChange.mock.calls.length]).toEqual([up, 1, 1])
    time.advance(1)
    const stale = down('TimeoutError: the latest result, UP, is older than 30000 ms')
    expect([request(), request(), latest()]).toEqual([stale, stale, stale])
    expect([runs.length, onStatusChange.mock.calls.length]).toEqual([2, 2])
    runs[1]?.resolve('UP')
    await pass(0)
    expect([request(), runs.length]).toEqual([up, 2])
  })

  it('accepts a result up to three times as old as it can regularly become, by default', async () => {
    const time = createManualClock()
    const { runs, request } = backgroundCheck({ refresh: '2s', timeout: '1s' }, time)
    await pass(0)
    runs[0]?.resolve('UP')
    await pass(0)
    time.advance(8_999)
    expect(request()).toEqual(up)
    time.advance(1)
    expect(request()).toMatchObject({ status: 'DOWN' })
  })

  it('leaves no timer active after close(), cancels the active run, and then runs on request only', async () => {
    const { runs, request, close } = backgroundCheck()
    await pass(0)
    const requested = request()
    close()
    expect(await requested).toEqual(down('AbortError: closed'))
    await pass(0)
    expect(vi.getTimerCount()).toBe(0)
    runs[0]?.resolve('UP')
    await pass(60_000)
    expect(runs).toHaveLength(1)
    const next = request()
    runs[1]?.resolve('UP')
    expect(await next).toEqual(up)
    await pass(9_999)
    expect(request()).toEqual(up)
    await pass(1)
    void request()
    expect(runs).toHaveLength(3)
  })

  it('does not keep the process alive', () => {
    vi.useRealTimers()
    const set = vi.spyOn(globalThis, 'setTimeout')
    const { close } = backgroundCheck()
    const timers = set.mock.results.map(({ value }) => value.hasRef())
    set.mockRestore()
    close()
    expect(timers).toEqual([false])
  })

  it('supports an interval that is longer than the maximum delay of a timer', async () => {
    const { runs } = backgroundCheck({ refresh: '30d' })
    await pass(0)
    runs[0]?.resolve('UP')
    await pass(1_000)
    expect(runs).toHaveLength(1)
  })

  it.each([
    [{ refresh: '10' }, 'refresh: expected a duration such as "5s", received "10"'],
    [{ refresh: '0ms' }, 'refresh: expected a duration of more than 0, received "0ms"'],
    [{ staleAfter: '30' }, 'staleAfter: expected a duration such as "5s", received "30"'],
    [{ staleAfter: '9s' }, 'staleAfter: expected at least "refresh", which is "10s", received "9s"'],
    [{ cache: '1s' }, 'cache: expected undefined with "refresh", received "1s"'],
    [{ refresh: undefined, staleAfter: '30s' }, 'staleAfter: expected undefined without "refresh", received "30s"'],
  ])('rejects %j, with the path of the option', (options, message) => {
    expect(() => backgroundCheck(options as Partial<CheckedIndicator>)).toThrow(
      new RangeError(`createManagement: health.indicators.db.${message}`),
    )
  })
})
