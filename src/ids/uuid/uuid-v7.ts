import { randomWords } from '../random.ts'
import { MonotonicTime, type OrderedUuidOptions } from './monotonic-time.ts'
import { formatUuid, withVariant } from './uuid-text.ts'

/**
 * A function that makes UUIDs which sort in the order of their making: 48 bits of Unix milliseconds, a count of 26, and
 * 48 random bits. The count begins at random in the lower half of its range with each millisecond, and rises by one.
 * The function throws a RangeError when the clock stands before 1970 or after the year 10889, and as `beyondStepBack`
 * says. RFC 9562 §5.7 and §6.2, method 1.
 *
 * @throws RangeError when `toleratedStepBack` is no duration.
 */
export function createUuidV7(options: OrderedUuidOptions = {}): () => string {
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

/** A UUID that sorts after all that this thread made before it: {@link createUuidV7} by the system's clock. */
export const uuidV7: () => string = createUuidV7()
