import type { Clock } from '../../base/clock.ts'

/** Readings closer together than this are one: a scrape reads many meters of one source. */
const freshMilliseconds = 100

/** A source that is asked once a scrape, however many meters read from it. */
export function createSampler<T>(clock: Clock, read: () => T): () => T {
  let latest: { readonly value: T; readonly at: number } | undefined
  return () => {
    const now = clock.monotonicTime()
    if (latest === undefined || now - latest.at >= freshMilliseconds) latest = { value: read(), at: now }
    return latest.value
  }
}
