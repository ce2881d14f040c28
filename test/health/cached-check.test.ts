import type { HealthCheck } from 'upkeep'
import type { CheckedIndicator } from 'upkeep/health'
import { describe, expect, it, vi } from 'vitest'
import { createCheckedComponent } from '../../src/health/component.ts'
import { checkRunnerWith } from '../support/check-runner.ts'
import { type Deferred, deferred } from '../support/deferred.ts'
import { useFakeTime } from '../support/fake-time.ts'

const clock = useFakeTime()
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

const up = { status: 'UP' }
const down = (error: string) => ({ status: 'DOWN', details: { error } })
const timedOut = down('TimeoutError: no response within 5000 ms')
const hanging = down('TimeoutError: the previous check has not completed')

/** Returns a function that checks the component of an indicator at the current time. */
function checkOf(indicator: CheckedIndicator) {
  const { check } = createCheckedComponent(indicator, checkRunnerWith(clock), 'db')
  return () => check(clock.monotonicTime())
}

/** Creates a component whose test settles each run of its check. */
function manualCheck(options: Partial<CheckedIndicator> = {}) {
  const runs: Deferred<string>[] = []
  const check: HealthCheck = () => {
    const run = deferred<string>()
    runs.push(run)
    return run.promise
  }
  return { runs, request: checkOf({ check, ...options }) }
}

describe('a cached check', () => {
  it('does not run before the first request', () => {
    const { runs } = manualCheck()
    expect(runs).toHaveLength(0)
  })

  it('runs once for concurrent requests', async () => {
    const { runs, request } = manualCheck()
    const requests = [request(), request(), request()]
    await pass(10)
    requests.push(request())
    expect(runs).toHaveLength(1)
    runs[0]?.resolve('UP')
    expect(await Promise.all(requests)).toEqual([up, up, up, up])
  })

  it('is cached for one second, from its result on', async () => {
    const { runs, request } = manualCheck()
    const first = request()
    await pass(3000)
    runs[0]?.resolve('UP')
    await first
    await pass(999)
    expect(await request()).toEqual(up)
    expect(runs).toHaveLength(1)
    await pass(1)
    void request()
    expect(runs).toHaveLength(2)
  })

  it.each([
    ['0ms', 0],
    ['10s', 10_000],
  ] as const)('is cached for %s if configured', async (cache, milliseconds) => {
    const check = vi.fn(() => 'UP')
    const request = checkOf({ check, cache })
    await request()
    if (milliseconds > 0) await pass(milliseconds - 1)
    await request()
    expect(check).toHaveBeenCalledTimes(milliseconds > 0 ? 1 : 2)
    await pass(1)
    await request()
    expect(check).toHaveBeenCalledTimes(milliseconds > 0 ? 2 : 3)
  })

  it('caches failures as well', async () => {
    const check = vi.fn<HealthCheck>(() => 'UP').mockRejectedValueOnce(new Error('no'))
    const request = checkOf({ check })
    expect([await request(), await request()]).toEqual([down('Error: no'), down('Error: no')])
    await pass(1000)
    expect(await request()).toEqual(up)
    expect(check).toHaveBeenCalledTimes(2)
  })

  it('runs again after it has thrown synchronously, without a cache', async () => {
    const check = vi.fn(() => {
      throw new Error('no')
    })
    const request = checkOf({ check, cache: '0ms' })
    expect([await request(), await request()]).toEqual([down('Error: no'), down('Error: no')])
    expect(check).toHaveBeenCalledTimes(2)
  })

  it('is DOWN immediately, and is not run again, while a run that has timed out is still active', async () => {
    const { runs, request } = manualCheck()
    const first = request()
    await pass(5000)
    expect(await first).toEqual(timedOut)
    await pass(999)
    expect(await request()).toEqual(timedOut)
    await pass(1)
    expect([request(), request()]).toEqual([hanging, hanging])
    expect(runs).toHaveLength(1)
  })

  it.each(['resolve', 'reject'] as const)(
    'runs again as soon as a run that has timed out settles (%s)',
    async (way) => {
      const { runs, request } = manualCheck()
      void request()
      await pass(20_000)
      expect(request()).toEqual(hanging)
      runs[0]?.[way]('UP')
      await pass(0)
      const second = request()
      expect(runs).toHaveLength(2)
      runs[1]?.resolve('UP')
      expect(await second).toEqual(up)
    },
  )

  it('runs again after ten timeouts even if the previous run never settles', async () => {
    const { runs, request } = manualCheck()
    void request()
    await pass(49_999)
    expect(request()).toEqual(hanging)
    await pass(1)
    const second = request()
    expect(runs).toHaveLength(2)
    await pass(5000)
    expect(await second).toEqual(timedOut)
  })

  it('waits for the latest run only', async () => {
    const { runs, request } = manualCheck()
    void request()
    await pass(50_000)
    void request()
    await pass(10_000)
    runs[0]?.resolve('UP')
    await pass(0)
    expect(request()).toEqual(hanging)
    runs[1]?.resolve('UP')
    await pass(0)
    void request()
    expect(runs).toHaveLength(3)
  })

  it('has a configurable timeout', async () => {
    const { request } = manualCheck({ timeout: '250ms' })
    const first = request()
    await pass(250)
    expect(await first).toEqual(down('TimeoutError: no response within 250 ms'))
  })

  it('leaves no timer active', async () => {
    const { runs, request } = manualCheck()
    void request()
    expect(vi.getTimerCount()).toBe(1)
    runs[0]?.resolve('UP')
    await pass(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([
    [{ timeout: '5' }, 'timeout', '"5"'],
    [{ timeout: 5000 }, 'timeout', '5000'],
    [{ cache: 'never' }, 'cache', '"never"'],
    [{ cache: '-1s' }, 'cache', '"-1s"'],
  ])('rejects %j, with the path of the option', (options, option, value) => {
    const indicator = { check: () => 'UP', ...(options as object) }
    expect(() => createCheckedComponent(indicator, checkRunnerWith(clock), 'a/b')).toThrow(
      new RangeError(
        `createManagement: health.indicators.a.indicators.b.${option}: expected a duration such as ` +
          `"5s", received ${value}`,
      ),
    )
  })
})
