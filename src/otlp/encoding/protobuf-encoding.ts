import { ProtobufWriter } from '../../base/protobuf-writer.ts'
import type { Encoding, Field, MessageWriter } from './message-writer.ts'

/** OTLP/HTTP with binary Protocol Buffers, the default. OTLP specification, "Binary Protobuf Encoding". */
export const protobufEncoding: Encoding = {
  contentType: 'application/x-protobuf',
  createWriter: () => new ProtobufMessageWriter(),
}

class ProtobufMessageWriter implements MessageWriter {
  readonly #out = new AttributeWriter()
  readonly #traceId = new Uint8Array(16)
  readonly #spanId = new Uint8Array(8)
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
    const bytes = hex.length === 32 ? this.#traceId : this.#spanId
    for (let index = 0; index < bytes.length; index += 1) {
      bytes[index] = (digit(hex.charCodeAt(index * 2)) << 4) | digit(hex.charCodeAt(index * 2 + 1))
    }
    this.#out.bytes(number, bytes)
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

  shortAttribute({ number }: Field, key: string, value: string): boolean {
    return this.#out.shortAttribute(number, key, value)
  }

  messages({ number }: Field, encoded: Uint8Array, start: number, end: number): void {
    this.#out.messages(number, encoded, start, end)
  }

  begin({ number }: Field): number {
    return this.#out.begin(number)
  }

  end(token: number): void {
    this.#out.end(token)
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

/** Returns the value of a lower-case hexadecimal digit. */
function digit(code: number): number {
  return code <= 0x39 ? code - 0x30 : code - 0x57
}

/** Of a `KeyValue` with a string: its own tags and lengths, each of one byte. */
const overhead = 8
/** The maximum length of a message whose length takes one byte. */
const shortMessage = 0x7f

/** Writes most attributes in one step: as two messages and two strings, they led the profile of an export of spans. */
class AttributeWriter extends ProtobufWriter {
  /**
   * Writes a `KeyValue` if its key and value are short and ASCII, and returns whether they are. `field` is at most 15.
   */
  shortAttribute(field: number, key: string, value: string): boolean {
    const length = overhead - 2 + key.length + value.length
    if (length > shortMessage) return false
    this.reserve(length + 2)
    const { chunk, position } = this
    const keyEnd = position + 4 + key.length
    chunk[position] = field * 8 + 2
    chunk[position + 1] = length
    chunk[position + 2] = 0x0a
    chunk[position + 3] = key.length
    chunk[keyEnd] = 0x12
    chunk[keyEnd + 1] = value.length + 2
    chunk[keyEnd + 2] = 0x0a
    chunk[keyEnd + 3] = value.length
    const codes = putCodes(chunk, position + 4, key) | putCodes(chunk, keyEnd + 4, value)
    if (codes >= 0x80) return false
    this.position = keyEnd + 4 + value.length
    return true
  }
}

/** Writes the code of each character as one byte. Returns the bitwise OR of the codes: below 0x80 for ASCII only. */
function putCodes(bytes: Uint8Array, start: number, text: string): number {
  let all = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    bytes[start + index] = code
    all |= code
  }
  return all
}
