import { describe, expect, it, vi } from 'vitest'
import { createConcurrencyLimit, unlimited } from '../../src/health/checks/concurrency-limit.ts'
import { useFakeTime } from '../support/fake-time.ts'

useFakeTime()

/** A limit, and entries by name that hold their slots until the test releases them. */
function limitOf(slots: number, maxHoldMilliseconds = 1_000) {
  const limit = createConcurrencyLimit(slots)
  const started: string[] = []
  const releases: Record<string, () => void> = {}
  const acquire = (...names: readonly string[]) => {
    for (const name of names) releases[name] = limit.acquire(() => void started.push(name), maxHoldMilliseconds)
  }
  return { started, acquire, release: (name: string) => releases[name]?.() }
}

describe('createConcurrencyLimit', () => {
  it('starts as many as there are slots, and the others in order', () => {
    const { started, acquire, release } = limitOf(2)
    acquire('a', 'b', 'c', 'd')
    expect(started).toEqual(['a', 'b'])
    release('b')
    expect(started).toEqual(['a', 'b', 'c'])
    release('a')
    expect(started).toEqual(['a', 'b', 'c', 'd'])
    acquire('e')
    expect(started).toHaveLength(4)
  })

  it('releases a slot only once', () => {
    const { started, acquire, release } = limitOf(1)
    acquire('a', 'b', 'c')
    release('a')
    release('a')
    expect(started).toEqual(['a', 'b'])
  })

  it('does not start an entry that has left the queue', () => {
    const { started, acquire, release } = limitOf(1)
    acquire('a', 'b', 'c')
    release('b')
    release('a')
    release('b')
    expect(started).toEqual(['a', 'c'])
  })

  it('releases a slot after the maximum time, and not again when its holder does', async () => {
    const { started, acquire, release } = limitOf(1, 1_000)
    acquire('a', 'b', 'c')
    await vi.advanceTimersByTimeAsync(999)
    expect(started).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(1)
    expect(started).toEqual(['a', 'b'])
    release('a')
    expect(started).toEqual(['a', 'b'])
  })

  it('leaves no timer active', () => {
    const { acquire, release } = limitOf(2)
    acquire('a', 'b', 'c')
    for (const name of ['a', 'b', 'c']) release(name)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('admits an entry that is queued by the start of another', () => {
    const limit = createConcurrencyLimit(1)
    const started: string[] = []
    const release = limit.acquire(() => {
      started.push('a')
      limit.acquire(() => void started.push('b'), 1_000)
    }, 1_000)
    expect(started).toEqual(['a'])
    release()
    expect(started).toEqual(['a', 'b'])
  })
})

describe('unlimited', () => {
  it('starts everything immediately, without a timer', () => {
    const start = vi.fn()
    for (let count = 0; count < 100; count++) unlimited.acquire(start, 1_000)()
    expect([start.mock.calls.length, vi.getTimerCount()]).toEqual([100, 0])
  })
})
