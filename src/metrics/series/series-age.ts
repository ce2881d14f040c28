import { type Clock, systemClock } from '../../base/clock.ts'

/**
 * Whole milliseconds since now, for the beginning of series. Series that are made in one go, without a pause for anything
 * else, share one reading of the system's clock, which would cost a fifth of the making; other clocks are read each time.
 */
export function createAgeReader(clock: Clock): () => number {
  const origin = clock.monotonicTime()
  const read = (): number => Math.round(clock.monotonicTime() - origin)
  if (clock !== systemClock) return read
  let age: number | undefined
  const forget = (): void => {
    age = undefined
  }
  return () => {
    if (age === undefined) {
      age = read()
      queueMicrotask(forget)
    }
    return age
  }
}
