import { extractTraceContext, type TraceCarrier } from './context/carrier.ts'
import { currentTracing } from './current-tracing.ts'
import type { Span, SpanOptions } from './span.ts'
import { isSampled } from './spans/non-recording-span.ts'
import { runInSpan } from './traced-work.ts'

/** What may be said of the span of some work. */
export interface TracedOptions extends Pick<SpanOptions, 'kind' | 'attributes' | 'links'> {}

/**
 * Runs a function in a span of its own, below the one that is active: until it returns, its promise settles, or its
 * generator ends. What it returns or throws goes to the caller; an error is told to the span. Where spans are not recorded,
 * the work has an id of its own all the same. Where nothing is traced, or the trace is not sampled, the function is run, and
 * that is all.
 */
export function traced<R>(name: string, work: (span: Span | undefined) => R, options?: TracedOptions): R {
  const tracing = currentTracing()
  if (tracing === undefined) return work(undefined)
  const active = tracing.activeSpan()
  if (active !== undefined && !active.isRecording && !isSampled(active)) return work(active)
  return runInSpan(tracing, tracing.startSpan(name, options), work)
}

/**
 * Continues the trace that a message, a job or anything else brings along in its headers, and runs a function in a span of
 * it. The span is one of a consumer, unless `options` says otherwise; a carrier without a trace begins a new one.
 */
export function withTrace<R>(
  carrier: TraceCarrier,
  name: string,
  work: (span: Span | undefined) => R,
  options: TracedOptions = {},
): R {
  const tracing = currentTracing()
  if (tracing === undefined) return work(undefined)
  return runInSpan(
    tracing,
    tracing.startSpan(name, { kind: 'consumer', ...options, parent: extractTraceContext(carrier) ?? 'root' }),
    work,
  )
}
