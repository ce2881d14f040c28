import type { Clock } from '../../base/clock.ts'

/** A rate over less than this says little; a reader who comes sooner gets the one before. */
const shortestMilliseconds = 1_000

/** Two totals that grow together, such as the time that was used and the time that passed. */
export interface Totals {
  readonly part: number
  readonly whole: number
}

/**
 * The share of `part` in `whole` since the last reading that is at least a second old. It takes nothing from other
 * readers: whoever reads within the same second reads the same. NaN until a second has passed.
 */
export function createRate(clock: Clock, read: () => Totals): () => number {
  let base = { ...read(), at: clock.monotonicTime() }
  let rate = Number.NaN
  return () => {
    const now = clock.monotonicTime()
    if (now - base.at >= shortestMilliseconds) {
      const { part, whole } = read()
      const share = whole <= base.whole ? 0 : (part - base.part) / (whole - base.whole)
      // The two are not read in the same instant, and the kernel corrects itself: a little less or more is none or all.
      rate = Math.min(1, Math.max(0, share))
      base = { part, whole, at: now }
    }
    return rate
  }
}
