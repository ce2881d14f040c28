/** A field of an OTLP message. */
export interface Field {
  /** Its number in Protocol Buffers. */
  readonly number: number
  /** Its name in JSON. */
  readonly name: string
  /** Whether it is a list of messages. @default false */
  readonly isRepeated?: boolean
}

/**
 * Writes a message of OTLP, field by field and in the order of the calls. Each value has the type that OTLP's `.proto`
 * files declare. Fields are written even with their default value: omitting them is up to the caller.
 */
export interface MessageWriter {
  string(field: Field, value: string): void
  bool(field: Field, value: boolean): void
  double(field: Field, value: number): void
  /** Writes an `enum` or a `uint32`. */
  uint32(field: Field, value: number): void
  /** Writes a safe integer as `int64`. */
  int64(field: Field, value: number): void
  sint32(field: Field, value: number): void
  fixed32(field: Field, value: number): void
  /** Writes a safe integer of 0 or more as `fixed64`. */
  fixed64(field: Field, value: number): void
  /** Writes a time as nanoseconds since 1970-01-01T00:00:00Z, in `fixed64`. */
  time(field: Field, seconds: number, nanoseconds: number): void
  /** Writes the `bytes` of an id, given in hexadecimal. */
  id(field: Field, hex: string): void
  doubles(field: Field, values: readonly number[]): void
  /** Writes safe integers of 0 or more as repeated `fixed64`. */
  fixed64s(field: Field, values: readonly number[]): void
  /** Writes safe integers of 0 or more as repeated `uint64`. */
  uint64s(field: Field, values: readonly number[]): void
  /**
   * Writes a `KeyValue` in one step, and returns `true`; or writes nothing, and returns `false`. Absent if that takes
   * as long as field by field.
   */
  readonly shortAttribute?: (field: Field, key: string, value: unknown) => boolean
  /**
   * Writes messages that a writer of this encoding has written before, as another field: the bytes from `start` to
   * `end`. Absent if the encoding is not of bytes.
   */
  readonly messages?: (field: Field, encoded: Uint8Array, start: number, end: number) => void
  /**
   * Begins a message. Returns a token for `end`. `lengthBytes` is how many bytes the length of the message is expected
   * to take. @default 1
   */
  begin(field: Field, lengthBytes?: number): number
  /**
   * Ends the message that began with this token and expected length. Messages end in the reverse order of their
   * beginning.
   */
  end(token: number, lengthBytes?: number): void
  /** The approximate number of bytes written since `take`. */
  readonly length: number
  /** Removes and returns the whole message. */
  take(): readonly Uint8Array[]
  /** Returns the memory of a message that is no longer used. */
  reuse(pieces: readonly Uint8Array[]): void
}

/** An encoding of OTLP over HTTP. */
export interface Encoding {
  readonly contentType: string
  createWriter(): MessageWriter
}

/** Writes a time in milliseconds, with a fraction, since 1970-01-01T00:00:00Z. */
export function writeTime(out: MessageWriter, field: Field, milliseconds: number): void {
  const seconds = Math.floor(milliseconds / 1_000)
  out.time(field, seconds, Math.round((milliseconds - seconds * 1_000) * 1e6))
}

/** Whether a string is a trace id in hexadecimal. */
export function isTraceId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

/** Whether a string is a span id in hexadecimal. */
export function isSpanId(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text)
}
