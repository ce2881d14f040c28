import type { Context, Span, SpanOptions, Tracer } from '@opentelemetry/api'
import { ContextWithSpan, rootContext, spanOfView } from '../../tracing/context/context.ts'
import { currentTracing } from '../../tracing/current-tracing.ts'
import {
  type OpenTelemetryContext,
  type OpenTelemetryScope,
  type OpenTelemetrySpan,
  registeredContextManager,
  spanKey,
} from '../../tracing/open-telemetry.ts'
import { invalidSpan } from '../../tracing/spans/remote-span.ts'

type Run = (span: Span) => unknown

/** OpenTelemetry's `Tracer` of one scope. Its spans are those of the tracing of this process at that time. */
export class ApiTracer implements Tracer {
  readonly #scope: OpenTelemetryScope

  constructor(scope: OpenTelemetryScope) {
    this.#scope = scope
  }

  startSpan(name: string, options?: SpanOptions | null, context: Context = activeContext()): Span {
    const span = currentTracing()?.startApiSpan(this.#scope, String(name), options ?? {}, context) ?? invalidSpan
    return asApiSpan(span)
  }

  startActiveSpan<F extends Run>(name: string, fn: F): ReturnType<F>
  startActiveSpan<F extends Run>(name: string, options: SpanOptions, fn: F): ReturnType<F>
  startActiveSpan<F extends Run>(name: string, options: SpanOptions, context: Context, fn: F): ReturnType<F>
  startActiveSpan(name: string, ...given: readonly unknown[]): unknown {
    if (given.length === 0) return undefined
    const fn = given.at(-1) as Run
    const [options, context = activeContext()] = given.slice(0, -1) as [SpanOptions?, Context?]
    const span = this.startSpan(name, options, context)
    const run = () => fn(span)
    const manager = registeredContextManager()
    if (manager !== undefined) return manager.with(contextWith(context, span), run)
    const storage = currentTracing()?.storage
    return storage === undefined ? run() : storage.run(contextWith(context, span), run)
  }
}

function activeContext(): OpenTelemetryContext {
  const stored = registeredContextManager()?.active() ?? currentTracing()?.storage.getStore()
  // Safe: tracings and context managers store nothing but contexts.
  return (stored as OpenTelemetryContext | undefined) ?? rootContext
}

/** Returns the context with a span; one of upkeep's own if the span is, which costs less. */
function contextWith(context: OpenTelemetryContext, span: OpenTelemetrySpan): OpenTelemetryContext {
  const own = spanOfView(span)
  return own === undefined ? context.setValue(spanKey, span) : new ContextWithSpan(context, own)
}

/** Safe: the spans of this package implement the whole interface, which a test compares. */
function asApiSpan(span: OpenTelemetrySpan): Span {
  return span as Span
}
