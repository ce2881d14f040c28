import type { HealthCheck } from 'upkeep'
import type { CheckedIndicator } from 'upkeep/health'
import { describe, expect, it, vi } from 'vitest'
import { createCheckedHealth } from '../../src/health/checks/checked-health.ts'
import { checkupWith } from '../support/checkup.ts'
import { type Deferred, defer, holdTime } from '../support/fake-time.ts'
import { createManualClock } from '../support/manual-clock.ts'

const clock = holdTime()
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

const up = { status: 'UP' }
const down = (error: string) => ({ status: 'DOWN', details: { error } })

/** A component that is refreshed every ten seconds, unless the options say otherwise, whose checks are answered by hand. */
function refreshed(options: Partial<CheckedIndicator> = {}, time = clock) {
  const runs: Deferred<string>[] = []
  const check: HealthCheck = () => {
    const run = defer<string>()
    runs.push(run)
    return run.promise
  }
  const changed = vi.fn()
  const checkup = checkupWith(time, { changed })
  const { health, known } = createCheckedHealth({ check, refresh: '10s', ...options }, 'db', checkup)
  const end = () => {
    for (const ending of [...checkup.endings]) ending(new DOMException('closed', 'AbortError'))
  }
  return { runs, ask: () => health(time.monotonicTime()), known: () => known(time.monotonicTime()), changed, end }
}

describe('a component that is refreshed in the background', () => {
  it('is asked from the next turn of the event loop on, without anybody who asks', async () => {
    const { runs, known } = refreshed()
    expect(runs).toHaveLength(0)
    await pass(0)
    expect([runs.length, known()]).toEqual([1, undefined])
    runs[0]?.resolve('UP')
    await pass(0)
    expect(known()).toEqual(up)
  })

  it('is asked again so long after each answer', async () => {
    const { runs } = refreshed()
    await pass(2_000)
    runs[0]?.resolve('UP')
    await pass(9_999)
    expect(runs).toHaveLength(1)
    await pass(1)
    expect(runs).toHaveLength(2)
  })

  it('answers at once from the latest result, also while it is asked and after it failed', async () => {
    const { runs, ask } = refreshed()
    await pass(0)
    runs[0]?.resolve('UP')
    await pass(10_000)
    expect([runs.length, ask()]).toEqual([2, up])
    runs[1]?.reject(new Error('no'))
    await pass(0)
    expect(ask()).toEqual(down('Error: no'))
    await pass(9_000)
    expect(ask()).toEqual(down('Error: no'))
    expect(runs).toHaveLength(2)
  })

  it('has who asks before the first answer wait for it, and runs no check of its own for it', async () => {
    const { runs, ask } = refreshed()
    const early = ask()
    await pass(0)
    const asked = ask()
    expect(runs).toHaveLength(1)
    runs[0]?.resolve('UP')
    expect([await early, await asked]).toEqual([up, up])
  })

  it('is down when a check in the background passes its deadline, and while that one has not let go', async () => {
    const { runs, ask } = refreshed()
    await pass(5_000)
    expect(ask()).toEqual(down('TimeoutError: no answer within 5000 ms'))
    await pass(10_000)
    expect(ask()).toEqual(down('TimeoutError: an earlier check has not ended yet'))
    runs[0]?.resolve('UP')
    await pass(10_000)
    runs[1]?.resolve('UP')
    await pass(0)
    expect(ask()).toEqual(up)
  })

  it('is down with the reason once its latest result is too old, and is asked then', async () => {
    // Timers stand still while the time passes, as in a process that is frozen.
    const time = createManualClock()
    const { runs, ask, known, changed } = refreshed({ staleAfter: '30s' }, time)
    await pass(0)
    runs[0]?.resolve('UP')
    await pass(0)
    time.advance(29_999)
    expect([ask(), runs.length, changed.mock.calls.length]).toEqual([up, 1, 1])
    time.advance(1)
    const stale = down('TimeoutError: the latest result, UP, is older than 30000 ms')
    expect([ask(), ask(), known()]).toEqual([stale, stale, stale])
    expect([runs.length, changed.mock.calls.length]).toEqual([2, 2])
    runs[1]?.resolve('UP')
    await pass(0)
    expect([ask(), runs.length]).toEqual([up, 2])
  })

  it('lets a result be three times as old as it can become by rights, unless it is told otherwise', async () => {
    const time = createManualClock()
    const { runs, ask } = refreshed({ refresh: '2s', timeout: '1s' }, time)
    await pass(0)
    runs[0]?.resolve('UP')
    await pass(0)
    time.advance(8_999)
    expect(ask()).toEqual(up)
    time.advance(1)
    expect(ask()).toMatchObject({ status: 'DOWN' })
  })

  it('leaves no timer behind once it is ended, gives up what runs, and is then asked only when somebody asks', async () => {
    const { runs, ask, end } = refreshed()
    await pass(0)
    const asked = ask()
    end()
    expect(await asked).toEqual(down('AbortError: closed'))
    await pass(0)
    expect(vi.getTimerCount()).toBe(0)
    runs[0]?.resolve('UP')
    await pass(60_000)
    expect(runs).toHaveLength(1)
    const anew = ask()
    runs[1]?.resolve('UP')
    expect(await anew).toEqual(up)
    await pass(9_999)
    expect(ask()).toEqual(up)
    await pass(1)
    void ask()
    expect(runs).toHaveLength(3)
  })

  it('keeps no process alive', () => {
    vi.useRealTimers()
    const set = vi.spyOn(globalThis, 'setTimeout')
    const { end } = refreshed()
    const timers = set.mock.results.map(({ value }) => value.hasRef())
    set.mockRestore()
    end()
    expect(timers).toEqual([false])
  })

  it('can be refreshed more seldom than a timer can be set', async () => {
    const { runs } = refreshed({ refresh: '30d' })
    await pass(0)
    runs[0]?.resolve('UP')
    await pass(1_000)
    expect(runs).toHaveLength(1)
  })

  it.each([
    [
      { refresh: '10' },
      `The refresh of the health indicator db must be a duration such as '500ms', '5s' or '1m', not "10"`,
    ],
    [{ refresh: '0ms' }, 'The refresh of the health indicator db must not be nothing'],
    [
      { staleAfter: '30' },
      `The staleAfter of the health indicator db must be a duration such as '500ms', '5s' or '1m', not "30"`,
    ],
    [
      { staleAfter: '9s' },
      'The staleAfter of the health indicator db must not be shorter than its refresh, 10s, but was 9s',
    ],
    [{ cache: '1s' }, 'The health indicator db cannot have a cache beside refresh, which keeps its results'],
    [
      { refresh: undefined, staleAfter: '30s' },
      'The health indicator db has staleAfter without refresh: nothing becomes stale',
    ],
  ])('refuses %j, naming the option', (options, message) => {
    expect(() => refreshed(options as Partial<CheckedIndicator>)).toThrow(new RangeError(message))
  })
})
