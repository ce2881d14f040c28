import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startRounds } from '../../src/cluster/rounds.ts'
import { deferred } from '../support/deferred.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Starts rounds whose function returns what `answers` is set to. */
function start() {
  const answers = { happened: false }
  const round = vi.fn(async (_isSecond: boolean) => answers.happened)
  const failed = vi.fn()
  const rounds = startRounds(round, failed)
  onTestFinished(() => rounds.stop())
  /** Returns how many rounds there were in a time, and how many of them were those of a second. */
  const pass = async (milliseconds: number) => {
    const before = round.mock.calls.length
    await vi.advanceTimersByTimeAsync(milliseconds)
    const calls = round.mock.calls.slice(before)
    return { rounds: calls.length, seconds: calls.filter(([isSecond]) => isSecond).length }
  }
  return { rounds, round, failed, answers, pass }
}

describe('rounds', () => {
  it('take place five times a second while something happens, one of them as that of the second', async () => {
    const { answers, pass } = start()
    answers.happened = true
    expect(await pass(10_000)).toEqual({ rounds: 50, seconds: 10 })
  })

  it('take place once a second after two seconds in which nothing has happened', async () => {
    const { pass } = start()
    expect(await pass(2_000)).toEqual({ rounds: 10, seconds: 2 })
    expect(await pass(10_000)).toEqual({ rounds: 10, seconds: 10 })
  })

  it('take place five times a second again after one in which something has happened', async () => {
    const { answers, pass } = start()
    await pass(10_000)
    answers.happened = true
    await pass(1_000)
    answers.happened = false
    // The first of them comes after 200 ms: ten, until nothing has happened for two seconds.
    expect(await pass(2_000)).toEqual({ rounds: 10, seconds: 2 })
    expect((await pass(2_000)).rounds).toBe(2)
  })

  it('do not overlap, and go on after one that fails', async () => {
    const { round, failed, pass } = start()
    const { promise, resolve } = deferred<boolean>()
    round.mockReturnValueOnce(promise)
    expect((await pass(1_000)).rounds).toBe(1)
    resolve(true)
    const error = new Error('the file is gone')
    round.mockRejectedValueOnce(error)
    expect((await pass(1_000)).rounds).toBe(5)
    expect(failed.mock.calls).toEqual([[error]])
  })

  it('end, even if one that is active ends later', async () => {
    const { rounds, round, pass } = start()
    const { promise, resolve } = deferred<boolean>()
    await pass(1_800)
    round.mockReturnValueOnce(promise)
    await pass(200)
    rounds.stop()
    resolve(false)
    expect((await pass(5_000)).rounds).toBe(0)
  })
})
