/** How long to wait before a repetition, the first being 0: from 1 s, half as much again each time, to 5 s, give or take a fifth. */
export function backoffMilliseconds(repetition: number, random: number): number {
  return Math.min(1_000 * 1.5 ** repetition, 5_000) * (0.8 + 0.4 * random)
}
