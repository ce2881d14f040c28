import { formatTraceparent, type TraceContext } from '../../ids/trace-context/traceparent.ts'
import { currentTracing } from '../current-tracing.ts'
import { Baggage, emptyBaggage } from './context-baggage.ts'
import { currentBaggage } from './current-baggage.ts'
import { parseTraceContext } from './received-context.ts'

/** The header fields that propagate a trace context to another process. */
export interface TraceHeaders {
  readonly traceparent?: string
  readonly tracestate?: string
  readonly baggage?: string
}

/**
 * Returns the header fields that propagate the active trace; an empty object without an active trace. For requests and
 * messages that upkeep does not instrument: `fetch(url, { headers: { ...traceHeaders() } })`.
 */
export function traceHeaders(): TraceHeaders {
  const context = currentTrace()
  return context === undefined ? baggageHeaders() : traceHeadersOf(context)
}

/** Returns the active trace context; `undefined` if no span is active. Ids are generated on first read. */
export function currentTrace(): TraceContext | undefined {
  return currentTracing()?.activeSpan()?.context
}

/** Formats a context, and the current baggage, as header fields. W3C Trace Context §3, W3C Baggage §3. */
export function traceHeadersOf(context: TraceContext): TraceHeaders {
  const { tracestate } = context
  const traceparent = formatTraceparent(context)
  const headers = tracestate === undefined || tracestate === '' ? { traceparent } : { traceparent, tracestate }
  return currentBaggage() === undefined ? headers : { ...headers, ...baggageHeaders() }
}

/** Returns the current baggage as a header field; an empty object without any. */
export function baggageHeaders(): Pick<TraceHeaders, 'baggage'> {
  const field = currentBaggage()?.field
  return field === undefined || field === '' ? {} : { baggage: field }
}

/**
 * The headers of a received message: an object whose values are strings, bytes (Kafka) or arrays of those, or an object
 * with `get`, such as `Headers`, a `Map`, or the headers of NATS.
 */
export type TraceCarrier =
  | { get(name: string): unknown }
  | { readonly [name: string]: unknown }
  | Readonly<Record<string, unknown>>
  | null
  | undefined

/** Returns the trace context in a carrier; `undefined` if it is absent or invalid. Never throws. */
export function extractTraceContext(carrier: TraceCarrier): TraceContext | undefined {
  try {
    return parseTraceContext(readField(carrier, 'traceparent'), readField(carrier, 'tracestate'))
  } catch {
    return undefined
  }
}

/**
 * Returns the baggage in a carrier, for `Tracing.run`: an empty one if the carrier has none and the active context has,
 * because that is not the sender's. Never throws.
 */
export function extractBaggage(carrier: TraceCarrier): Baggage | undefined {
  try {
    const field = readField(carrier, 'baggage')
    if (field !== undefined) return new Baggage(field)
  } catch {
    // Read as absent.
  }
  return currentBaggage() === undefined ? undefined : emptyBaggage
}

function readField(carrier: TraceCarrier, name: string): string | undefined {
  if (carrier === null || carrier === undefined) return undefined
  const value = typeof carrier['get'] === 'function' ? carrier['get'](name) : (carrier as Record<string, unknown>)[name]
  return toStringValue(value)
}

function toStringValue(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
  if (!Array.isArray(value)) return undefined
  return value.length === 0 ? undefined : value.map((one) => toStringValue(one) ?? '').join(',')
}
