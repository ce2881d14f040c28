import type { Clock } from './clock.ts'

/** A number of events that refills with time. */
export interface Budget {
  /** Takes one. Returns `false`, and takes nothing, if none is left. */
  take(): boolean
  /** Returns one that was taken. */
  giveBack(): void
}

/** Creates a budget of `burst` events at once, and one more each `milliseconds` after that. */
export function createBudget(clock: Clock, burst: number, milliseconds: number): Budget {
  let left = burst
  let filledAt = clock.monotonicTime()
  return {
    take() {
      const now = clock.monotonicTime()
      left = Math.min(burst, left + (now - filledAt) / milliseconds)
      filledAt = now
      if (left < 1) return false
      left -= 1
      return true
    },
    giveBack() {
      left = Math.min(burst, left + 1)
    },
  }
}
