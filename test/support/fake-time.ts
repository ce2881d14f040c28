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
