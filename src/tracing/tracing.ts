import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../base/clock.ts'
import type { TraceContext } from '../ids/trace-context/traceparent.ts'
import type { Span, SpanOptions } from './span.ts'
import type { DeferredAttributes } from './spans/attributes.ts'

/** How the span of a request is called, and what it tells from its start. */
export interface ServerSpanDescription<S> {
  /** Whether it is left out of what is recorded, whatever its caller says. */
  isExcluded(source: S): boolean
  name(source: S): string
  attributes(source: S): DeferredAttributes
}

/** Starts spans, and knows which one is active in an asynchronous flow. */
export interface Tracing {
  /** Starts a span below `parent`, else below the active span, else a root. Never throws. */
  startSpan(name: string, options?: SpanOptions): Span
  /**
   * Starts the span of a request that came in, below the context that it brought along, else a root. Whether it is
   * sampled is decided first: only of one that is recorded is the description asked for. A span that another instrumentation
   * has made of the same request is taken as it is, and not ended. `startedAt` is when by `clock`, in milliseconds of its
   * monotonic time; now, unless it is told.
   */
  startServerSpan<S>(
    parent: TraceContext | undefined,
    source: S,
    description: ServerSpanDescription<S>,
    startedAt?: number,
  ): Span
  /** By which its spans are timed; `undefined` where the application's own SDK does that. */
  readonly clock: Clock | undefined
  activeSpan(): Span | undefined
  /** Runs `fn` with `span` active. */
  run<T>(span: Span, fn: () => T): T
  /** The same for all of a request, at less cost: what `fn` enters into other storages may stay inside. */
  runRequest<T>(span: Span, fn: () => T): T
  /** For `TracingChannel.start.bindStore`: the storage, and by `stored` the value that makes `span` active in it. */
  readonly storage: AsyncLocalStorage<unknown>
  contextWith(span: Span): unknown
  /** Whether what runs now is not to be traced, as the exporter's own requests. */
  isSuppressed(): boolean
}
