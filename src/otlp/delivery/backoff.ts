/** How long to wait before a repetition, the first being 0: from 1 s, half as much again each time, to 5 s, give or take a fifth. */
export function backoffMilliseconds(repetition: number, random: number): number {
  return Math.min(1_000 * 1.5 ** repetition, 5_000) * (0.8 + 0.4 * random)
}

/**
 * The same, or what the receiver wants. Where that is nothing, or over already by clocks that disagree, it is obeyed once:
 * a receiver that says it again and again is not to be asked without a pause.
 */
export function waitMilliseconds(repetition: number, retryAfter: number | undefined, random: number): number {
  if (retryAfter === undefined) return backoffMilliseconds(repetition, random)
  return repetition === 0 ? retryAfter : Math.max(retryAfter, backoffMilliseconds(repetition - 1, random))
}
