import type { MeterOptions } from './meter-registry.ts'
import { createReading, createReadingOf, type Reading, type ReadingOptions, type ReadingRules } from './reading.ts'
import type { Tags } from './series/tags.ts'

/** What a meter that reads was registered with. */
export interface ReadingArguments<T> {
  readonly tags: Tags
  readonly options: MeterOptions
  readonly reading: Reading<T>
}

/**
 * Tells the three forms apart: `read`, `tags, read` and `tags, object, read`, each with options after it.
 *
 * @throws TypeError when there is no function to read with.
 */
export function readingArguments<T>(
  name: string,
  given: readonly unknown[],
  rules: ReadingRules<T>,
): ReadingArguments<T> {
  const tags = typeof given[0] === 'function' ? {} : (given[0] as Tags)
  const [first, second, third] = typeof given[0] === 'function' ? given : given.slice(1)
  if (typeof second === 'function') {
    const options = (third ?? {}) as MeterOptions & ReadingOptions
    const reading = createReadingOf(first as object, second as (object: object) => T, options, rules)
    return { tags, options, reading }
  }
  if (typeof first !== 'function') throw new TypeError(`'${name}' needs a function to read its value with`)
  return { tags, options: (second ?? {}) as MeterOptions, reading: createReading(first as () => T, rules) }
}
