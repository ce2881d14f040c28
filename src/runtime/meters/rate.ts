import type { Clock } from '../../base/clock.ts'

/** A rate over a shorter time is not meaningful: until then, the previous one is returned. */
const minMilliseconds = 1_000

/** Two totals that grow together, such as the time that was used and the time that passed. */
export interface Totals {
  readonly part: number
  readonly whole: number
}

/**
 * Returns a function that returns the share of `part` in `whole` since the last reading that is at least a second old;
 * before that, `initial`. Readers do not affect each other: within a second, all of them receive the same value.
 */
export function createRate(clock: Clock, read: () => Totals, initial: number = Number.NaN): () => number {
  let base = { ...read(), at: clock.monotonicTime() }
  let rate = initial
  return () => {
    const now = clock.monotonicTime()
    if (now - base.at >= minMilliseconds) {
      const { part, whole } = read()
      const share = whole <= base.whole ? 0 : (part - base.part) / (whole - base.whole)
      // The two are not read at the same instant, and the kernel corrects its times, so the share can be slightly out
      // of range.
      rate = Math.min(1, Math.max(0, share))
      base = { part, whole, at: now }
    }
    return rate
  }
}
