import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createWatch } from '../../../src/runtime/meters/watch.ts'
import { deferred } from '../../support/deferred.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

function watch<T>(ask: () => Promise<T>) {
  const watched = createWatch(ask)
  onTestFinished(watched.stop)
  return watched
}

describe('createWatch', () => {
  it('reads at once and every ten seconds, and returns the latest value', async () => {
    let calls = 0
    const { latest } = watch(async () => ++calls)
    expect(latest()).toBeUndefined()
    await vi.advanceTimersByTimeAsync(0)
    expect(latest()).toBe(1)
    await vi.advanceTimersByTimeAsync(9_999)
    expect(latest()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(latest()).toBe(2)
  })

  it('does not read while a read is pending', async () => {
    const owed = deferred<string>()
    const ask = vi.fn(() => owed.promise)
    const { latest } = watch(ask)
    await vi.advanceTimersByTimeAsync(100_000)
    expect(ask).toHaveBeenCalledTimes(1)
    expect(latest()).toBeUndefined()
    owed.resolve('late')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(latest()).toBe('late')
    expect(ask).toHaveBeenCalledTimes(2)
  })

  it('throws the error of a failed read until one succeeds', async () => {
    let works = true
    const { latest } = watch(async () => {
      if (!works) throw new Error('gone')
      return 'here'
    })
    await vi.advanceTimersByTimeAsync(0)
    works = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(latest).toThrow('gone')
    works = true
    await vi.advanceTimersByTimeAsync(10_000)
    expect(latest()).toBe('here')
  })

  it('does not read after stop, even if a read is pending', async () => {
    const owed = deferred<string>()
    const ask = vi.fn(() => owed.promise)
    const { stop } = watch(ask)
    stop()
    owed.resolve('late')
    await vi.advanceTimersByTimeAsync(100_000)
    expect(ask).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})
