import { formatUuid } from '../format-ids.ts'
import { GregorianTime } from './gregorian-time.ts'
import { checkUuidOptions, type OrderedUuidOptions } from './monotonic-time.ts'

/**
 * Returns a function that creates UUIDs of version 6: the fields of version 1 in an order that sorts by time. For
 * systems that use version 1 already; prefer version 7 otherwise. It throws like that of `createUuidV1`. RFC 9562 §5.6.
 *
 * @throws RangeError if `toleratedStepBack` is not a duration.
 */
export function createUuidV6(options: OrderedUuidOptions = {}): () => string {
  checkUuidOptions('createUuidV6', options)
  const time = new GregorianTime(options)
  return () => {
    time.advance()
    const { high, low } = time
    return formatUuid(
      (high << 4) | (low >>> 28),
      ((low >>> 12) << 16) | 0x6000 | (low & 0xfff),
      time.sequenceAndHighNode,
      time.lowNode,
    )
  }
}

let generate: (() => string) | undefined

/** Creates a UUID of version 6, which sorts after all that this thread has created before. */
export function uuidV6(): string {
  generate ??= createUuidV6()
  return generate()
}
