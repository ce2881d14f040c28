import type { HealthCheck } from 'upkeep'
import type { CheckedIndicator } from 'upkeep/health'
import { describe, expect, it, vi } from 'vitest'
import { createCheckedHealth } from '../../src/health/checks/checked-health.ts'
import { checkupWith } from '../support/checkup.ts'
import { type Deferred, defer, holdTime } from '../support/fake-time.ts'

const clock = holdTime()
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

const up = { status: 'UP' }
const down = (error: string) => ({ status: 'DOWN', details: { error } })
const late = down('TimeoutError: no answer within 5000 ms')
const stuck = down('TimeoutError: an earlier check has not ended yet')

/** Asks an indicator at the time that it is. */
function asking(indicator: CheckedIndicator) {
  const { health } = createCheckedHealth(indicator, 'db', checkupWith(clock))
  return () => health(clock.monotonicTime())
}

/** A check whose every run is answered by hand. */
function answeredByHand(options: Partial<CheckedIndicator> = {}) {
  const runs: Deferred<string>[] = []
  const check: HealthCheck = () => {
    const run = defer<string>()
    runs.push(run)
    return run.promise
  }
  return { runs, ask: asking({ check, ...options }) }
}

describe('createCheckedHealth', () => {
  it('does not run the check before somebody asks', () => {
    const { runs } = answeredByHand()
    expect(runs).toHaveLength(0)
  })

  it('runs one check for all who ask meanwhile', async () => {
    const { runs, ask } = answeredByHand()
    const asked = [ask(), ask(), ask()]
    await pass(10)
    asked.push(ask())
    expect(runs).toHaveLength(1)
    runs[0]?.resolve('UP')
    expect(await Promise.all(asked)).toEqual([up, up, up, up])
  })

  it('serves a result again for a second, counted from when it came', async () => {
    const { runs, ask } = answeredByHand()
    const first = ask()
    await pass(3000)
    runs[0]?.resolve('UP')
    await first
    await pass(999)
    expect(await ask()).toEqual(up)
    expect(runs).toHaveLength(1)
    await pass(1)
    void ask()
    expect(runs).toHaveLength(2)
  })

  it.each([
    ['0ms', 0],
    ['10s', 10_000],
  ] as const)('serves a result again for the %s that are wanted', async (cache, milliseconds) => {
    const check = vi.fn(() => 'UP')
    const ask = asking({ check, cache })
    await ask()
    if (milliseconds > 0) await pass(milliseconds - 1)
    await ask()
    expect(check).toHaveBeenCalledTimes(milliseconds > 0 ? 1 : 2)
    await pass(1)
    await ask()
    expect(check).toHaveBeenCalledTimes(milliseconds > 0 ? 2 : 3)
  })

  it('serves a failure again too, then asks anew', async () => {
    const check = vi.fn<HealthCheck>(() => 'UP').mockRejectedValueOnce(new Error('no'))
    const ask = asking({ check })
    expect([await ask(), await ask()]).toEqual([down('Error: no'), down('Error: no')])
    await pass(1000)
    expect(await ask()).toEqual(up)
    expect(check).toHaveBeenCalledTimes(2)
  })

  it('keeps a failure that was thrown at once to its one run', async () => {
    const check = vi.fn(() => {
      throw new Error('no')
    })
    const ask = asking({ check, cache: '0ms' })
    expect([await ask(), await ask()]).toEqual([down('Error: no'), down('Error: no')])
    expect(check).toHaveBeenCalledTimes(2)
  })

  it('is down at once, and asks no more, while a check past its deadline has not ended', async () => {
    const { runs, ask } = answeredByHand()
    const first = ask()
    await pass(5000)
    expect(await first).toEqual(late)
    await pass(999)
    expect(await ask()).toEqual(late)
    await pass(1)
    expect([ask(), ask()]).toEqual([stuck, stuck])
    expect(runs).toHaveLength(1)
  })

  it.each(['resolve', 'reject'] as const)('asks anew as soon as that check ends (%s)', async (way) => {
    const { runs, ask } = answeredByHand()
    void ask()
    await pass(20_000)
    expect(ask()).toEqual(stuck)
    runs[0]?.[way]('UP')
    await pass(0)
    const second = ask()
    expect(runs).toHaveLength(2)
    runs[1]?.resolve('UP')
    expect(await second).toEqual(up)
  })

  it('asks anew after ten deadlines even if that check never ends', async () => {
    const { runs, ask } = answeredByHand()
    void ask()
    await pass(49_999)
    expect(ask()).toEqual(stuck)
    await pass(1)
    const second = ask()
    expect(runs).toHaveLength(2)
    await pass(5000)
    expect(await second).toEqual(late)
  })

  it('is held back by the newest check alone', async () => {
    const { runs, ask } = answeredByHand()
    void ask()
    await pass(50_000)
    void ask()
    await pass(10_000)
    runs[0]?.resolve('UP')
    await pass(0)
    expect(ask()).toEqual(stuck)
    runs[1]?.resolve('UP')
    await pass(0)
    void ask()
    expect(runs).toHaveLength(3)
  })

  it('keeps to a deadline of its own', async () => {
    const { ask } = answeredByHand({ timeout: '250ms' })
    const first = ask()
    await pass(250)
    expect(await first).toEqual(down('TimeoutError: no answer within 250 ms'))
  })

  it('leaves no timer behind', async () => {
    const { runs, ask } = answeredByHand()
    void ask()
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
  ])('refuses %j, naming the option', (options, option, value) => {
    expect(() => createCheckedHealth({ check: () => 'UP', ...(options as object) }, 'a/b', checkupWith(clock))).toThrow(
      new RangeError(
        `The ${option} of the health indicator a/b must be a duration such as '500ms', '5s' or '1m', not ${value}`,
      ),
    )
  })
})
