import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { settlesWithin } from '../../../src/otlp/start-telemetry.ts'
import { deferred } from '../../support/deferred.ts'
import { useFakeTime } from '../../support/fake-time.ts'

useFakeTime()

describe('settlesWithin', () => {
  it('returns whether work settled in time, and clears its timer', async () => {
    expect(await settlesWithin(Promise.resolve(), 1_000)).toBe(true)
    const never = settlesWithin(new Promise(() => {}), 1_000)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await never).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('resolves when the signal aborts, or was aborted before', async () => {
    const controller = new AbortController()
    const work = deferred<void>()
    const waiting = settlesWithin(work.promise, 1_000, controller.signal)
    controller.abort()
    expect(await waiting).toBe(false)
    expect(await settlesWithin(work.promise, 1_000, controller.signal)).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no listener at the signal', async () => {
    const { signal } = new AbortController()
    expect(await settlesWithin(Promise.resolve(), 1_000, signal)).toBe(true)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
