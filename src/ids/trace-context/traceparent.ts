import { digitAt, hexPairs, notHex, overlaidDigits } from '../hex.ts'

/** Where in which trace a request comes from: what a `traceparent` field says. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zeros. */
  readonly traceId: string
  /** 16 lower-case hexadecimal digits, not all zeros: the caller's span. */
  readonly spanId: string
  /** Eight bits: {@link sampledFlag}, {@link randomFlag}, and what a caller may have set beside them. */
  readonly flags: number
  /** The `tracestate` field that came with it; `parseTraceparent` knows of none. */
  readonly tracestate?: string | undefined
}

/** The caller may have recorded its span. W3C Trace Context §3.2.2.5. */
export const sampledFlag = 0x01

/** The last 56 bits at least of the trace id are random. W3C Trace Context Level 2 §3.2.2.5. */
export const randomFlag = 0x02

const hyphen = 0x2d

/** A longer field is prohibitively large. */
const longest = 512

/**
 * The trace context in a `traceparent` field, or `undefined` when there is none to continue: the field is absent,
 * malformed, all zeros, of the forbidden version `ff`, or was sent twice and joined by a comma. A version of the future
 * is read as far as version 00 goes, and of its flags only those that version 00 knows. White space around the field is
 * HTTP's, and not part of it. W3C Trace Context Level 2 §3.2.
 */
export function parseTraceparent(text: string | undefined): TraceContext | undefined {
  if (text === undefined) return undefined
  const flags = traceparentFlags(text)
  return flags === undefined ? undefined : { traceId: traceIdIn(text), spanId: spanIdIn(text), flags }
}

/** The flags of such a field, and with that whether there is a context in it, whose ids are then found at their places. */
export function traceparentFlags(text: string): number | undefined {
  if (text.length < 55 || text.length > longest) return undefined
  if (text.charCodeAt(2) !== hyphen || text.charCodeAt(35) !== hyphen || text.charCodeAt(52) !== hyphen)
    return undefined
  const trace = overlaidDigits(text, 3, 35)
  const span = overlaidDigits(text, 36, 52)
  const versionHigh = digitAt(text, 0)
  const versionLow = digitAt(text, 1)
  const flagsHigh = digitAt(text, 53)
  const flagsLow = digitAt(text, 54)
  if ((trace | span | versionHigh | versionLow | flagsHigh | flagsLow) >= notHex || trace === 0 || span === 0) {
    return undefined
  }
  const version = (versionHigh << 4) | versionLow
  const flags = (flagsHigh << 4) | flagsLow
  if (version === 0xff) return undefined
  if (text.length > 55 && (version === 0 || text.charCodeAt(55) !== hyphen)) return undefined
  return version === 0 ? flags : flags & (sampledFlag | randomFlag)
}

export function traceIdIn(traceparent: string): string {
  return traceparent.slice(3, 35)
}

export function spanIdIn(traceparent: string): string {
  return traceparent.slice(36, 52)
}

/** The `traceparent` field of a context, in version 00, with the lowest eight of its flags whatever they are. */
export function formatTraceparent(context: TraceContext): string {
  return `00-${context.traceId}-${context.spanId}-${hexPairs[context.flags & 0xff]}`
}
