import { errorName, onSettled } from '../base/settled-work.ts'
import { extractBaggage, extractTraceContext, type TraceCarrier } from './context/carrier.ts'
import type { Baggage } from './context/context-baggage.ts'
import { currentBaggage } from './context/current-baggage.ts'
import { currentTracing } from './current-tracing.ts'
import type { Span, TracedOptions } from './span.ts'
import { isRecordedBelow } from './spans/bridged-span.ts'
import type { Tracing } from './tracing.ts'

/**
 * Runs a function in a span of its own, a child of the active span. The span ends when the function returns, its
 * promise settles, or its generator ends. Results and errors are passed to the caller; an error is also recorded in the
 * span. If spans are not recorded, the function still has a span id of its own. If tracing is off or the trace is not
 * sampled, the function is run without a span.
 */
export function traced<R>(name: string, work: (span: Span | undefined) => R, options?: TracedOptions): R {
  const tracing = currentTracing()
  if (tracing === undefined) return work(undefined)
  const active = tracing.activeSpan()
  if (active !== undefined && !active.isRecording && !isRecordedBelow(active)) return work(active)
  return runInSpan(tracing, tracing.startSpan(name, options), work)
}

/**
 * Continues the trace in the headers of a message, a job or another carrier, and runs a function in a span of it, like
 * `traced`. The span's kind is `consumer` by default. A carrier without a valid trace context starts a new trace.
 */
export function withTrace<R>(
  carrier: TraceCarrier,
  name: string,
  work: (span: Span | undefined) => R,
  options: TracedOptions = {},
): R {
  const tracing = currentTracing()
  if (tracing === undefined) return work(undefined)
  const parent = extractTraceContext(carrier) ?? 'root'
  const baggage = extractBaggage(carrier)
  const span = tracing.startSpan(name, { kind: 'consumer', ...options, parent, baggage })
  return runInSpan(tracing, span, work, baggage)
}

/** Runs a function in a span, records its error, and ends the span when the function's result has settled. */
function runInSpan<R>(tracing: Tracing, span: Span, work: (span: Span) => R, baggage?: Baggage): R {
  const runWork = () => {
    const result = tracing.run(span, () => work(span), baggage)
    return bindGenerator(tracing, span, result, baggage)
  }
  return onSettled(runWork, (failed, error) => {
    if (failed) {
      span.setAttributes({ 'error.type': errorName(error) })
      span.fail(error)
    }
    span.end()
  })
}

/** Runs each step of a generator in the span: steps run when the caller requests a value, outside of the span. */
function bindGenerator<R>(tracing: Tracing, span: Span, result: R, received: Baggage | undefined): R {
  const kind = Object.prototype.toString.call(result)
  if (kind !== '[object Generator]' && kind !== '[object AsyncGenerator]') return result
  const generator = result as R & Generator
  const baggage = received ?? currentBaggage()
  const bound = {
    next: (value: unknown) => tracing.run(span, () => generator.next(value), baggage),
    return: (value: unknown) => tracing.run(span, () => generator.return(value), baggage),
    throw: (error: unknown) => tracing.run(span, () => generator.throw(error), baggage),
    [Symbol.iterator]: () => bound,
    [Symbol.asyncIterator]: () => bound,
    [Symbol.toStringTag]: kind.slice('[object '.length, -1),
  }
  // Safe: it iterates like the generator, and has its string tag.
  return bound as R
}
