import { putCodes } from '../../base/protobuf-buffer.ts'
import { ProtobufWriter } from '../../base/protobuf-writer.ts'
import type { Encoding, Field, MessageWriter } from './message-writer.ts'

/** OTLP/HTTP with binary Protocol Buffers, the default. OTLP specification, "Binary Protobuf Encoding". */
export const protobufEncoding: Encoding = {
  contentType: 'application/x-protobuf',
  createWriter: () => new ProtobufMessageWriter(),
}

class ProtobufMessageWriter implements MessageWriter {
  readonly #out = new OtlpFieldWriter()
  /**
   * The last time of a field, by its number: most data points of an export have the same. Field numbers are below 32.
   */
  readonly #times: SplitTime[] = Array.from({ length: 32 }, () => ({ seconds: 0, nanoseconds: 0, high: 0, low: 0 }))

  string({ number }: Field, value: string): void {
    this.#out.string(number, value)
  }

  bool({ number }: Field, value: boolean): void {
    this.#out.varint(number, value ? 1 : 0)
  }

  double({ number }: Field, value: number): void {
    this.#out.double(number, value)
  }

  uint32({ number }: Field, value: number): void {
    this.#out.varint(number, value)
  }

  int64({ number }: Field, value: number): void {
    this.#out.int64(number, value)
  }

  sint32({ number }: Field, value: number): void {
    this.#out.sint64(number, value)
  }

  fixed32({ number }: Field, value: number): void {
    this.#out.fixed32(number, value)
  }

  fixed64({ number }: Field, value: number): void {
    this.#out.fixed64(number, value)
  }

  time({ number }: Field, seconds: number, nanoseconds: number): void {
    const time = this.#times[number] as SplitTime
    if (time.seconds !== seconds || time.nanoseconds !== nanoseconds) splitTime(time, seconds, nanoseconds)
    this.#out.fixed64Halves(number, time.high, time.low)
  }

  id({ number }: Field, hex: string): void {
    this.#out.id(number, hex)
  }

  doubles({ number }: Field, values: readonly number[]): void {
    this.#out.packedDoubles(number, values)
  }

  fixed64s({ number }: Field, values: readonly number[]): void {
    this.#out.packedFixed64(number, values)
  }

  uint64s({ number }: Field, values: readonly number[]): void {
    this.#out.packedVarints(number, values)
  }

  shortAttribute({ number }: Field, key: string, value: unknown): boolean {
    return this.#out.shortAttribute(number, key, value)
  }

  messages({ number }: Field, encoded: Uint8Array, start: number, end: number): void {
    this.#out.messages(number, encoded, start, end)
  }

  begin({ number }: Field, lengthBytes?: number): number {
    return this.#out.begin(number, lengthBytes)
  }

  end(token: number, lengthBytes?: number): void {
    this.#out.end(token, lengthBytes)
  }

  get length(): number {
    return this.#out.length
  }

  take(): readonly Uint8Array[] {
    return this.#out.take()
  }

  reuse(pieces: readonly Uint8Array[]): void {
    this.#out.reuse(pieces)
  }
}

/** A time in nanoseconds since 1970, which is beyond 2^53, as halves of 32 bits. */
interface SplitTime {
  seconds: number
  nanoseconds: number
  high: number
  low: number
}

/** Sets the halves of a time; computed in parts of 16 and 32 bits. */
function splitTime(time: SplitTime, seconds: number, nanoseconds: number): void {
  const upper = Math.floor(seconds / 0x1_0000) * 1e9
  const lower = (seconds % 0x1_0000) * 1e9 + nanoseconds
  const rest = (upper % 0x1_0000) * 0x1_0000 + (lower % 0x1_0000_0000)
  const carry = Math.floor(rest / 0x1_0000_0000)
  time.seconds = seconds
  time.nanoseconds = nanoseconds
  time.high = Math.floor(upper / 0x1_0000) + Math.floor(lower / 0x1_0000_0000) + carry
  time.low = rest - carry * 0x1_0000_0000
}

/** The maximum length of a message whose length takes one byte. */
const shortMessage = 0x7f

/** Writes in one step each what led the profiles of exports: ids, most attributes, and fields encoded before. */
class OtlpFieldWriter extends ProtobufWriter {
  /** Writes an id given in hexadecimal, at most 16 bytes: those before another character. */
  id(field: number, text: string): void {
    this.reserve(18)
    const { chunk, position } = this
    // Node's decoder is as fast as a loop, and V8 need not compile it first.
    const length = chunk.write(text, position + 2, 16, 'hex')
    chunk[position] = field * 8 + 2
    chunk[position + 1] = length
    this.position = position + 2 + length
  }

  /**
   * Writes a `KeyValue` if its key and value are short and ASCII, or the value is a small integer, and returns whether
   * they are. `field` is at most 15.
   */
  shortAttribute(field: number, key: string, value: unknown): boolean {
    const isText = typeof value === 'string'
    if (!isText && !isSmall(value)) return false
    const valueLength = isText ? 2 + value.length : value < 0x80 ? 2 : 3
    const length = 4 + key.length + valueLength
    if (length > shortMessage) return false
    this.reserve(length + 2)
    const { chunk, position } = this
    const at = position + 4 + key.length
    chunk[position] = field * 8 + 2
    chunk[position + 1] = length
    chunk[position + 2] = 0x0a
    chunk[position + 3] = key.length
    chunk[at] = 0x12
    chunk[at + 1] = valueLength
    chunk[at + 2] = isText ? 0x0a : 0x18
    this.position = at + 3
    this.putVarint(isText ? value.length : value)
    const codes = putCodes(chunk, position + 4, key) | (isText ? putCodes(chunk, at + 4, value) : 0)
    this.position = codes < 0x80 ? position + 2 + length : position
    return codes < 0x80
  }

  /** Copies messages of one field that are encoded already, as another field. Both numbers are at most 15. */
  messages(field: number, value: Uint8Array, start: number, end: number): void {
    this.raw(value, start, end)
    replaceTags(this.chunk, this.position - (end - start), this.position, field * 8 + 2)
  }
}

/** Whether a value is an integer that takes at most two bytes. */
function isSmall(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 0x4000
}

/** Replaces the tag of each of the encoded messages from `start` to `end`. All tags have one byte. */
function replaceTags(bytes: Uint8Array, start: number, end: number, tag: number): void {
  let position = start
  while (position < end) {
    bytes[position++] = tag
    let length = 0
    let byte = 0x80
    for (let shift = 0; byte >= 0x80; shift += 7) {
      byte = bytes[position++] as number
      length |= (byte & 0x7f) << shift
    }
    position += length
  }
}
