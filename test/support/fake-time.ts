import type { Clock } from 'upkeep'
import { afterEach, beforeEach, vi } from 'vitest'

/** Installs fake timers in every test of a file; `vi.advanceTimersByTimeAsync` advances them and the returned clock. */
export function useFakeTime(): Clock {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: Date.UTC(2026, 0, 1) })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  return { wallTime: () => Date.now(), monotonicTime: () => performance.now() }
}

/** A promise and the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

export function defer<T>(): Deferred<T> {
  const settle: { resolve?: (value: T) => void; reject?: (error: unknown) => void } = {}
  const promise = new Promise<T>((resolve, reject) => {
    settle.resolve = resolve
    settle.reject = reject
  })
  return { promise, resolve: (value) => settle.resolve?.(value), reject: (error) => settle.reject?.(error) }
}
