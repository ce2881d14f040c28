import { formatTraceparent, type TraceContext } from '../../ids/trace-context/traceparent.ts'
import { currentTracing } from '../current-tracing.ts'
import { parseTraceContext } from './received-context.ts'

/** The fields that carry a trace to another process. */
export interface TraceHeaders {
  readonly traceparent?: string
  readonly tracestate?: string
}

/**
 * The fields with which what is sent now belongs to the trace that is going on; none where there is no trace. For what
 * upkeep does not trace by itself: `fetch(url, { headers: { ...traceHeaders() } })`, or the headers of a message.
 */
export function traceHeaders(): TraceHeaders {
  const context = currentTrace()
  return context === undefined ? {} : traceHeadersOf(context)
}

/** The trace that is going on, and the span in it; `undefined` where nothing is traced. Its ids are made by asking. */
export function currentTrace(): TraceContext | undefined {
  return currentTracing()?.activeSpan()?.context
}

/** The fields of a context. W3C Trace Context §3. */
export function traceHeadersOf(context: TraceContext): TraceHeaders {
  const { tracestate } = context
  const traceparent = formatTraceparent(context)
  return tracestate === undefined || tracestate === '' ? { traceparent } : { traceparent, tracestate }
}

/**
 * What a message brings its headers in: an object whose values are texts, bytes (Kafka) or lists of those, or something
 * with `get`, such as `Headers`, a `Map`, or the headers of NATS.
 */
export type TraceCarrier =
  | { get(name: string): unknown }
  | { readonly [name: string]: unknown }
  | Readonly<Record<string, unknown>>
  | null
  | undefined

/** The trace that a carrier brings along; `undefined` where it brings none that can be continued. Never throws. */
export function extractTraceContext(carrier: TraceCarrier): TraceContext | undefined {
  try {
    return parseTraceContext(fieldOf(carrier, 'traceparent'), fieldOf(carrier, 'tracestate'))
  } catch {
    return undefined
  }
}

function fieldOf(carrier: TraceCarrier, name: string): string | undefined {
  if (carrier === null || carrier === undefined) return undefined
  const value = typeof carrier['get'] === 'function' ? carrier['get'](name) : (carrier as Record<string, unknown>)[name]
  return textOf(value)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
  if (!Array.isArray(value)) return undefined
  return value.length === 0 ? undefined : value.map((one) => textOf(one) ?? '').join(',')
}
