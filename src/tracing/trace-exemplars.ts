import type { ExemplarSource } from '../metrics/exemplar.ts'
import { currentTracing } from './current-tracing.ts'
import type { Span } from './span.ts'
import { isSampled } from './unrecorded-span.ts'

/** Where exemplars come from. */
export interface TraceExemplars {
  /** The sampled trace that is going on. */
  readonly source: ExemplarSource
  /** Makes a span the one that is going on, where none is: for what is measured after its end. */
  among(span: Span | undefined): void
}

export function createTraceExemplars(): TraceExemplars {
  let last: Span | undefined
  return {
    source() {
      const span = last ?? currentTracing()?.activeSpan()
      return span !== undefined && isSampled(span) ? span.context : undefined
    },
    among(span) {
      last = span
    },
  }
}
