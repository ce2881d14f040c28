/** Where in which trace a request comes from: what a `traceparent` field says. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zeros. */
  readonly traceId: string
  /** 16 lower-case hexadecimal digits, not all zeros: the caller's span. */
  readonly spanId: string
  /** Eight bits: {@link sampledFlag}, {@link randomFlag}, and what a caller may have set beside them. */
  readonly flags: number
}

/** The caller may have recorded its span. W3C Trace Context §3.2.2.5. */
export const sampledFlag = 0x01

/** The last 56 bits at least of the trace id are random. W3C Trace Context Level 2 §3.2.2.5. */
export const randomFlag = 0x02

/** A longer field is prohibitively large. */
const longest = 512

const notHex = 0x100

/** The value of each lower-case hexadecimal digit by its character code. */
const digitValues = new Uint16Array(128).fill(notHex)
for (let value = 0; value < 16; value += 1) digitValues[value.toString(16).charCodeAt(0)] = value

const hexPairs: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * The trace context in a `traceparent` field, or `undefined` when there is none to continue: the field is absent,
 * malformed, all zeros, of the forbidden version `ff`, or was sent twice and joined by a comma. A version of the future
 * is read as far as version 00 goes, and of its flags only those that version 00 knows. White space around the field is
 * HTTP's, and not part of it. W3C Trace Context Level 2 §3.2.
 */
export function parseTraceparent(text: string | undefined): TraceContext | undefined {
  if (text === undefined || text.length < 55 || text.length > longest) return undefined
  if (text.charCodeAt(2) !== 0x2d || text.charCodeAt(35) !== 0x2d || text.charCodeAt(52) !== 0x2d) return undefined

  // Faults are collected and looked at once, so that the loops have nothing to branch on.
  let codes = 0
  let traceDigits = 0
  for (let index = 3; index < 35; index += 1) {
    const code = text.charCodeAt(index)
    codes |= code
    traceDigits |= digitValues[code & 0x7f] ?? notHex
  }
  let spanDigits = 0
  for (let index = 36; index < 52; index += 1) {
    const code = text.charCodeAt(index)
    codes |= code
    spanDigits |= digitValues[code & 0x7f] ?? notHex
  }
  if (codes > 0x7f || traceDigits === 0 || spanDigits === 0 || (traceDigits | spanDigits) >= notHex) return undefined

  const version = byteAt(text, 0)
  const flags = byteAt(text, 53)
  if (version >= 0xff || flags > 0xff) return undefined
  if (text.length > 55 && (version === 0 || text.charCodeAt(55) !== 0x2d)) return undefined
  return {
    traceId: text.slice(3, 35),
    spanId: text.slice(36, 52),
    flags: version === 0 ? flags : flags & (sampledFlag | randomFlag),
  }
}

/** The `traceparent` field of a context, in version 00, with the lowest eight of its flags whatever they are. */
export function formatTraceparent(context: TraceContext): string {
  return `00-${context.traceId}-${context.spanId}-${hexPairs[context.flags & 0xff]}`
}

/** The byte written in two hexadecimal digits, or more than 255 when they are none. */
function byteAt(text: string, index: number): number {
  return (digitAt(text, index) << 4) | digitAt(text, index + 1)
}

function digitAt(text: string, index: number): number {
  return digitValues[text.charCodeAt(index)] ?? notHex
}
