import { GregorianTime } from './gregorian-time.ts'
import type { OrderedUuidOptions } from './monotonic-time.ts'
import { formatUuid } from './uuid-text.ts'

/**
 * A function that makes UUIDs of what version 1 holds in an order that sorts by time, for systems that hold version 1
 * already; others take version 7. It throws as that of `createUuidV1` does. RFC 9562 §5.6.
 *
 * @throws RangeError when `toleratedStepBack` is no duration.
 */
export function createUuidV6(options: OrderedUuidOptions = {}): () => string {
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

/** A UUID that sorts after all of version 6 that this thread made before it: {@link createUuidV6}, one a thread. */
export function uuidV6(): string {
  generate ??= createUuidV6()
  return generate()
}
