import { withVariant } from '../format-ids.ts'
import { randomWords } from '../random.ts'
import { MonotonicTime, type OrderedUuidOptions } from './monotonic-time.ts'

/** Milliseconds from 1582-10-15, the start of the Gregorian calendar, to 1970. */
export const millisecondsBefore1970 = 12_219_292_800_000

/**
 * The fields of versions 1 and 6: 60 bits of time in steps of 100 nanoseconds, which increase with each `advance`, a
 * clock sequence and a node. Both are random, and the node has the multicast bit set. The clock sequence changes when
 * the time restarts. RFC 9562 §5.1, §6.1 and §6.10.
 */
export class GregorianTime {
  readonly #time: MonotonicTime
  readonly #firstSequence: number
  readonly #highNode: number
  /** The lower 32 bits of the node. */
  readonly lowNode: number

  constructor(options: OrderedUuidOptions) {
    const words = randomWords(options.random)
    this.#time = new MonotonicTime(options, {
      lastMillisecond: Math.floor(2 ** 60 / 10_000) - 1 - millisecondsBefore1970,
      highestCount: 9_999,
      firstCount: () => 0,
    })
    const random = words.next()
    this.#firstSequence = random >>> 16
    this.#highNode = (random & 0xffff) | 0x0100
    this.lowNode = words.next()
  }

  advance(): void {
    this.#time.advance()
  }

  /** The upper 28 bits of the time. */
  get high(): number {
    return Math.floor(this.#upper / 0x10000) + Math.floor(this.#lower / 0x100000000)
  }

  /** The lower 32 bits of the time. */
  get low(): number {
    return this.#lower | 0
  }

  /** The third word of a UUID: variant, clock sequence, and the upper 16 bits of the node. */
  get sequenceAndHighNode(): number {
    return withVariant(((this.#firstSequence + this.#time.restarts) << 16) | this.#highNode)
  }

  // A number cannot represent 60 bits exactly. The time is `#upper * 2 ** 16` plus a rest; `#lower` is the lower 32
  // bits of the sum, with the carry above them.
  get #upper(): number {
    return Math.floor((this.#time.millisecond + millisecondsBefore1970) / 0x10000) * 10_000
  }

  get #lower(): number {
    const rest = ((this.#time.millisecond + millisecondsBefore1970) % 0x10000) * 10_000 + this.#time.count
    return (this.#upper % 0x10000) * 0x10000 + rest
  }
}
