import { formatTraceparent, parseTraceparent, type TraceContext } from '../../ids/traceparent.ts'
import { parseTracestate } from '../../ids/tracestate.ts'

/** The headers of a message that tell its trace. W3C Trace Context §3. */
export type TraceHeaders = Readonly<Record<'traceparent', string>> & { readonly tracestate?: string }

export function headersOf(context: TraceContext): TraceHeaders {
  const traceparent = formatTraceparent(context)
  return context.tracestate === undefined ? { traceparent } : { traceparent, tracestate: context.tracestate }
}

/** The trace that a message came from, by its headers, which clients give as text or as bytes; `undefined` for none. */
export function contextIn(header: (name: string) => unknown): TraceContext | undefined {
  const context = parseTraceparent(textOf(header('traceparent')))
  if (context === undefined) return undefined
  const tracestate = textOf(header('tracestate'))
  return parseTracestate(tracestate) === undefined ? context : { ...context, tracestate }
}

function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length === 1 ? textOf(value[0]) : undefined
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  return typeof value === 'string' ? value : undefined
}
