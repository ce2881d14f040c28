import type { Span } from 'upkeep'
import { createTracing } from '../../src/tracing/create-tracing.ts'
import { installTracing } from '../../src/tracing/current-tracing.ts'

/** Runs a function inside of a span, with the tracing of the process switched on for as long. */
export function inTrace<T>(fn: (span: Span) => T): T {
  const tracing = createTracing()
  const uninstall = installTracing(tracing)
  try {
    const span = tracing.startSpan('work')
    return tracing.run(span, () => fn(span))
  } finally {
    uninstall()
  }
}

/** The fields that tie a record to a span. */
export function fieldsOf({ context: { traceId, spanId, flags } }: Span): Readonly<Record<string, string>> {
  return { trace_id: traceId, span_id: spanId, trace_flags: flags.toString(16).padStart(2, '0') }
}
