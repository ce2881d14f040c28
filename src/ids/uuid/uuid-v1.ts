import { GregorianTime } from './gregorian-time.ts'
import type { OrderedUuidOptions } from './monotonic-time.ts'
import { formatUuid } from './uuid-text.ts'

/**
 * A function that makes UUIDs of Gregorian time, a clock sequence and a node, for systems that expect them: as text
 * they do not sort by time. Up to 10,000 ids a millisecond have its time, more move on ahead of the clock. The function
 * throws a RangeError when the clock stands before 1970 or after the year 5236, and as `beyondStepBack` says. RFC 9562
 * §5.1.
 *
 * @throws RangeError when `toleratedStepBack` is no duration.
 */
export function createUuidV1(options: OrderedUuidOptions = {}): () => string {
  const time = new GregorianTime(options)
  return () => {
    time.advance()
    const { high } = time
    return formatUuid(time.low, (high << 16) | 0x1000 | (high >>> 16), time.sequenceAndHighNode, time.lowNode)
  }
}

let generate: (() => string) | undefined

/** A UUID of version 1: {@link createUuidV1} by the system's clock, one a thread. */
export function uuidV1(): string {
  generate ??= createUuidV1()
  return generate()
}
