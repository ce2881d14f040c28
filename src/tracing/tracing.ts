import type { AsyncLocalStorage } from 'node:async_hooks'
import type { TraceContext } from '../ids/traceparent.ts'
import type { Attributes, Span, SpanOptions } from './span.ts'

/** How the span of a request is called, and what it tells from its start. */
export interface ServerSpanDescription<S> {
  name(source: S): string
  attributes(source: S): Attributes
}

/** Starts spans, and knows which one is active in an asynchronous flow. */
export interface Tracing {
  /** Starts a span below `parent`, else below the active span, else a root. Never throws. */
  startSpan(name: string, options?: SpanOptions): Span
  /**
   * Starts the span of a request that came in, below the context that it brought along, else a root. Whether it is
   * sampled is decided first: only of one that is recorded is the description asked for. A span that another instrumentation
   * has made of the same request is taken as it is, and not ended.
   */
  startServerSpan<S>(parent: TraceContext | undefined, source: S, description: ServerSpanDescription<S>): Span
  /** A span for its ids alone: it is not recorded, and neither is what is below it. */
  unrecordedSpan(parent?: TraceContext): Span
  activeSpan(): Span | undefined
  /** Runs `fn` with `span` active. */
  run<T>(span: Span, fn: () => T): T
  /** The same for all of a request, at less cost: what `fn` enters into other storages may stay inside. */
  runRequest<T>(span: Span, fn: () => T): T
  /** For `TracingChannel.start.bindStore`: the storage, and by `stored` the value that makes `span` active in it. */
  readonly storage: AsyncLocalStorage<unknown>
  stored(span: Span): unknown
  /** Whether what runs now is not to be traced, as the exporter's own requests. */
  isSuppressed(): boolean
}
