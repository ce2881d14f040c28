import { type Span, traced } from 'upkeep'
import { switchTracingOn } from './process-tracing.ts'

/** Runs a function inside of a span, with the tracing of the process switched on for as long. */
export function inTrace<T>(fn: (span: Span) => T): T {
  const switchOff = switchTracingOn()
  try {
    return traced('work', (span) => {
      if (span === undefined) throw new Error('tracing is off')
      return fn(span)
    })
  } finally {
    switchOff()
  }
}

/** The fields that tie a record to a span. */
export function fieldsOf({ context: { traceId, spanId, flags } }: Span): Readonly<Record<string, string>> {
  return { trace_id: traceId, span_id: spanId, trace_flags: flags.toString(16).padStart(2, '0') }
}
