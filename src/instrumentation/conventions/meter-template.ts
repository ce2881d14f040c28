import type { TimerOptions } from '../../metrics/timer.ts'

/** How a convention names one meter of operations. `F` is what is known of an operation. */
export interface MeterTemplate<F> {
  readonly name: string
  /** The unit of the values if the meter is not a timer. */
  readonly baseUnit?: string
  /** One object for all meters of the template, so that they share their buckets. */
  readonly options: TimerOptions
  /** Returns the value of each tag. A tag without a value is omitted. */
  readonly tags: TagReaders<F>
}

/** Functions that return the values of tags, by key. */
export type TagReaders<F> = Readonly<Record<string, (facts: F) => string | undefined>>

/** Returns the tags of an operation. */
export function tagsOf<F>(readers: TagReaders<F>, facts: F): Record<string, string> {
  const tags: Record<string, string> = {}
  for (const [key, read] of Object.entries(readers)) {
    const value = read(facts)
    if (value !== undefined) tags[key] = value
  }
  return tags
}
