import { combineDigits, digitAt, hexPairs, notHex } from '../hex.ts'

/** The trace and the span from which a request comes: the content of a `traceparent` field. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zeros. */
  readonly traceId: string
  /** The span of the caller: 16 lower-case hexadecimal digits, not all zeros. */
  readonly spanId: string
  /** Eight bits: {@link sampledFlag}, {@link randomFlag}, and others. */
  readonly flags: number
  /** The `tracestate` field; not set by `parseTraceparent`. */
  readonly tracestate?: string | undefined
}

/** Set if the caller may have recorded its span. W3C Trace Context §3.2.2.5. */
export const sampledFlag = 0x01

/** Set if at least the last 56 bits of the trace id are random. W3C Trace Context Level 2 §3.2.2.5. */
export const randomFlag = 0x02

const hyphen = 0x2d

/** Longer fields are ignored. */
const maxLength = 512

/**
 * Parses a `traceparent` field. Returns `undefined` if it is absent, malformed, all zeros, of the forbidden version
 * `ff`, or was sent twice and joined by a comma. Of a later version, only the fields and flags of version 00 are read.
 * White space around the field belongs to HTTP, and is not accepted. W3C Trace Context Level 2 §3.2.
 */
export function parseTraceparent(text: string | undefined): TraceContext | undefined {
  if (text === undefined) return undefined
  const flags = traceparentFlags(text)
  return flags === undefined ? undefined : { traceId: traceIdIn(text), spanId: spanIdIn(text), flags }
}

/** Returns the flags of a `traceparent` field, or `undefined` if it is not valid. Does not allocate. */
export function traceparentFlags(text: string): number | undefined {
  if (text.length < 55 || text.length > maxLength) return undefined
  if (text.charCodeAt(2) !== hyphen || text.charCodeAt(35) !== hyphen || text.charCodeAt(52) !== hyphen)
    return undefined
  const trace = combineDigits(text, 3, 35)
  const span = combineDigits(text, 36, 52)
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

/** Formats a context as a `traceparent` field of version 00, with the lowest eight bits of its flags. */
export function formatTraceparent(context: TraceContext): string {
  return `00-${context.traceId}-${context.spanId}-${hexPairs[context.flags & 0xff]}`
}
