/**
 * Returns the delay before a retry in milliseconds, the first retry being 0: 1 s, growing by half to at most 5 s, ± 20
 * %.
 */
export function backoffMilliseconds(repetition: number, random: number): number {
  return Math.min(1_000 * 1.5 ** repetition, 5_000) * (0.8 + 0.4 * random)
}

/**
 * Returns the delay before a retry, or the one requested by the receiver. A requested delay of 0 (or in the past, where
 * clocks disagree) is respected once; then the backoff applies, so that a receiver that repeats it is not flooded.
 */
export function waitMilliseconds(repetition: number, retryAfter: number | undefined, random: number): number {
  if (retryAfter === undefined) return backoffMilliseconds(repetition, random)
  return repetition === 0 ? retryAfter : Math.max(retryAfter, backoffMilliseconds(repetition - 1, random))
}
