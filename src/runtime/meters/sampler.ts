import type { Clock } from '../../base/clock.ts'

/** A value is reused for this long, because a scrape reads many meters of one source. */
const freshMilliseconds = 100

/** Returns a function that reads a source once per scrape, however many meters use it. */
export function createSampler<T>(clock: Clock, read: () => T): () => T {
  let latest: { readonly value: T; readonly at: number } | undefined
  return () => {
    const now = clock.monotonicTime()
    if (latest === undefined || now - latest.at >= freshMilliseconds) latest = { value: read(), at: now }
    return latest.value
  }
}
