import { formatUuid, withVariant } from '../format-ids.ts'
import { randomWords } from '../random.ts'
import { checkUuidOptions, MonotonicTime, type OrderedUuidOptions } from './monotonic-time.ts'

/**
 * Returns a function that creates UUIDs of version 7, which sort in the order of their creation: 48 bits of Unix time
 * in milliseconds, 26 bits of count and 48 random bits. With each millisecond the count starts at a random number in
 * the lower half of its range, and is incremented by one. The function throws a RangeError if the clock is before 1970
 * or after the year 10889, and as `beyondStepBack` specifies. RFC 9562 §5.7 and §6.2, method 1.
 *
 * @throws RangeError if `toleratedStepBack` is not a duration.
 */
export function createUuidV7(options: OrderedUuidOptions = {}): () => string {
  checkUuidOptions('createUuidV7', options)
  const words = randomWords(options.random)
  const time = new MonotonicTime(options, {
    lastMillisecond: 2 ** 48 - 1,
    highestCount: 0x3ffffff,
    firstCount: () => words.next() & 0x1ffffff,
  })
  return () => {
    time.advance()
    const { millisecond, count } = time
    return formatUuid(
      (millisecond / 0x10000) | 0,
      (millisecond << 16) | 0x7000 | (count >>> 14),
      withVariant((count << 16) | (words.next() & 0xffff)),
      words.next(),
    )
  }
}

/** Creates a UUID of version 7, which sorts after all that this thread has created before. */
export const uuidV7: () => string = createUuidV7()
