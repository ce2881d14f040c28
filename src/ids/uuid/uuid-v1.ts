import { formatUuid } from '../format-ids.ts'
import { GregorianTime } from './gregorian-time.ts'
import { checkUuidOptions, type OrderedUuidOptions } from './monotonic-time.ts'

/**
 * Returns a function that creates UUIDs of version 1: Gregorian time, a clock sequence and a node. For systems that
 * require them; as text they do not sort by time. With more than 10,000 UUIDs per millisecond their time is ahead of
 * the clock. The function throws a RangeError if the clock is before 1970 or after the year 5236, and as
 * `beyondStepBack` specifies. RFC 9562 §5.1.
 *
 * @throws RangeError if `toleratedStepBack` is not a duration.
 */
export function createUuidV1(options: OrderedUuidOptions = {}): () => string {
  checkUuidOptions('createUuidV1', options)
  const time = new GregorianTime(options)
  return () => {
    time.advance()
    const { high } = time
    return formatUuid(time.low, (high << 16) | 0x1000 | (high >>> 16), time.sequenceAndHighNode, time.lowNode)
  }
}

let generate: (() => string) | undefined

/** Creates a UUID of version 1: {@link createUuidV1} with the system clock, one generator per thread. */
export function uuidV1(): string {
  generate ??= createUuidV1()
  return generate()
}
