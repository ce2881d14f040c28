import { failure } from './errors.ts'
import { chunkBytes, ProtobufBuffer, putCodes, varintLength } from './protobuf-buffer.ts'

/** The maximum length of a tag and a varint: five bytes and ten. */
const tagAndVarint = 15
/** Up to this length, a loop over an ASCII string takes less time than a call of Node's encoder. */
const shortString = 40
/** How the value of a field is encoded: the lower three bits of its tag. */
const wire = { varint: 0, fixed64: 1, lengthDelimited: 2, fixed32: 5 } as const

/**
 * Encodes messages in the binary format of Protocol Buffers, field by field and in the order of the calls:
 *
 *     const point = out.begin(7)
 *     out.double(4, value)
 *     out.end(point)
 *
 * A field is written even with its default value. The bytes are collected in chunks of 64 KB, so that a large message
 * is not moved when it grows. Encoding a field allocates nothing but a chunk now and then.
 */
export class ProtobufWriter extends ProtobufBuffer {
  /** Messages that have begun and not ended. */
  #open = 0

  /** The number of bytes written since the last `take`. The length of a message counts as one byte until its `end`. */
  get length(): number {
    return this.before + this.position
  }

  /** Whether every message that has begun has ended. */
  get isComplete(): boolean {
    return this.#open === 0
  }

  /** Writes an integer from 0 to 2^53 − 1: `uint32`, `uint64`, `bool` or an enumeration's number. */
  varint(field: number, value: number): void {
    this.#begin(field, wire.varint)
    this.putVarint(value)
  }

  /** Writes a safe integer as `int32` or `int64`: a negative one takes ten bytes. */
  int64(field: number, value: number): void {
    this.#begin(field, wire.varint)
    if (value >= 0) this.putVarint(value)
    else this.putNegativeVarint(value)
  }

  /** Writes a safe integer as `sint32` or `sint64`: a small one takes few bytes, also if it is negative. */
  sint64(field: number, value: number): void {
    this.#begin(field, wire.varint)
    this.putZigzag(value)
  }

  double(field: number, value: number): void {
    this.#begin(field, wire.fixed64)
    this.putDouble(value)
  }

  /** Writes a safe integer as `fixed64` or `sfixed64`. */
  fixed64(field: number, value: number): void {
    this.#begin(field, wire.fixed64)
    this.putFixed64(value)
  }

  fixed32(field: number, value: number): void {
    this.#begin(field, wire.fixed32)
    this.putFixed32(value)
  }

  /** Writes `fixed64` as two unsigned halves of 32 bits, for values beyond 2^53 such as nanoseconds since 1970. */
  fixed64Halves(field: number, high: number, low: number): void {
    this.#begin(field, wire.fixed64)
    this.putHalves(high, low)
  }

  /** Writes a string as UTF-8. A lone surrogate becomes U+FFFD. */
  string(field: number, text: string): void {
    const { length } = text
    // At most three bytes per UTF-16 code unit.
    this.#begin(field, wire.lengthDelimited, length <= chunkBytes / 4 ? length * 3 : Buffer.byteLength(text))
    if (length <= shortString && this.#shortAscii(text)) return
    const start = this.position
    const guess = varintLength(length)
    const written = this.chunk.write(text, start + guess)
    const actual = varintLength(written)
    if (actual !== guess) this.chunk.copyWithin(start + actual, start + guess, start + guess + written)
    this.putVarint(written)
    this.position += written
  }

  packedDoubles(field: number, values: ArrayLike<number>): void {
    this.#beginBytes(field, values.length * 8)
    for (let index = 0; index < values.length; index++) this.putDouble(values[index] as number)
  }

  /** Writes safe integers as repeated `fixed64` or `sfixed64`. */
  packedFixed64(field: number, values: ArrayLike<number>): void {
    this.#beginBytes(field, values.length * 8)
    for (let index = 0; index < values.length; index++) this.putFixed64(values[index] as number)
  }

  /** Writes integers from 0 to 2^53 − 1 as repeated `uint32` or `uint64`: the first `count` of `values`. */
  packedVarints(field: number, values: ArrayLike<number>, count: number = values.length): void {
    const token = this.#beginVarints(field, count)
    for (let index = 0; index < count; index++) this.putVarint(values[index] as number)
    this.end(token)
  }

  /** Writes safe integers as repeated `sint32` or `sint64`: the first `count` of `values`. */
  packedSint64(field: number, values: ArrayLike<number>, count: number = values.length): void {
    const token = this.#beginVarints(field, count)
    for (let index = 0; index < count; index++) this.putZigzag(values[index] as number)
    this.end(token)
  }

  /**
   * Begins a nested message. Returns a token for `end`; the last to begin is the first to end. A message whose length
   * takes the expected number of bytes is not moved at its end.
   */
  begin(field: number, expectedBytes = 1): number {
    this.#begin(field, wire.lengthDelimited)
    return this.#beginLength(expectedBytes)
  }

  /** Begins a message that is preceded by its length alone, as in a stream of messages (`encoding=delimited`). */
  beginDelimited(): number {
    this.reserve(tagAndVarint)
    return this.#beginLength(1)
  }

  /** Ends the message that began with this token and expected number of bytes. */
  end(token: number, expectedBytes = 1): void {
    this.#open -= 1
    const length = this.before + this.position - token
    const added = varintLength(length) - expectedBytes
    const start = token - this.before
    if (start < expectedBytes || this.chunk.length - this.position < added) {
      this.replaceBytes(token - expectedBytes, expectedBytes, length)
      return
    }
    if (added !== 0) this.chunk.copyWithin(start + added, start, this.position)
    const end = this.position + added
    this.position = start - expectedBytes
    this.putVarint(length)
    this.position = end
  }

  /**
   * Removes and returns all bytes, in pieces of at most 64 KB unless a single field is larger. Throws if a message has
   * not ended.
   */
  take(): readonly Uint8Array[] {
    if (this.#open > 0)
      throw failure('UPKEEP_ESTATE', `ProtobufWriter: take: expected no open message, received ${this.#open}`)
    return this.takeAll()
  }

  #begin(field: number, type: number, length = 0): void {
    this.reserve(tagAndVarint + length)
    const tag = field * 8 + type
    if (tag < 0x80) this.chunk[this.position++] = tag
    else this.putVarint(tag)
  }

  #beginBytes(field: number, length: number): void {
    this.#begin(field, wire.lengthDelimited, length)
    this.putVarint(length)
  }

  #beginVarints(field: number, count: number): number {
    this.#begin(field, wire.lengthDelimited, count * 10)
    return this.#beginLength(1)
  }

  #beginLength(expectedBytes: number): number {
    this.#open += 1
    this.position += expectedBytes
    return this.before + this.position
  }

  /** Writes the length and the characters, if all of them are ASCII; else returns `false`. */
  #shortAscii(text: string): boolean {
    const { chunk, position } = this
    if (putCodes(chunk, position + 1, text) >= 0x80) return false
    chunk[position] = text.length
    this.position = position + 1 + text.length
    return true
  }
}
