import type { Duration } from '../../base/duration.ts'

/** How long an answer took, to the hundredth of a millisecond, such as `'1.32ms'`. */
export function formatLatency(milliseconds: number): Duration {
  return `${Math.round(milliseconds * 100) / 100}ms`
}
