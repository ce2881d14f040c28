import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../base/clock.ts'
import type { TraceContext } from '../ids/trace-context/traceparent.ts'
import type { Baggage } from './context/context-baggage.ts'
import type { ApiSpanOptions, OpenTelemetryContext, OpenTelemetryScope, OpenTelemetrySpan } from './open-telemetry.ts'
import type { Span, SpanOptions } from './span.ts'
import type { DeferredAttributes } from './spans/attributes.ts'
import type { TracingControl } from './tracing-control.ts'

/** Describes the span of a received request. Called only as far as the span is recorded. */
export interface ServerSpanDescription<S> {
  /** Whether the request is never recorded, even if its caller is sampled. */
  isExcluded(source: S): boolean
  name(source: S): string
  attributes(source: S): DeferredAttributes
}

/**
 * Starts spans, and manages which one is active in an asynchronous flow. Implemented by `IdsOnlyTracing`,
 * `NativeTracing` and `SdkTracing`.
 */
export interface Tracing {
  /** Starts a span: a child of `parent` or of the active span, else a root. Never throws. */
  startSpan(name: string, options?: SpanOptions): Span
  /**
   * Starts the span of a received request: a child of the caller's context `parent`, else a root. Returns the span that
   * another instrumentation has started for the same request, if there is one; ending that has no effect. `startedAt`
   * is in milliseconds of the monotonic time of `clock`. @default now
   */
  startServerSpan<S>(
    parent: TraceContext | undefined,
    source: S,
    description: ServerSpanDescription<S>,
    startedAt?: number,
  ): Span
  /**
   * Starts a span for a tracer of OpenTelemetry's API: a child of the span in `context`, unless it is to be a root.
   * Never throws.
   */
  startApiSpan(
    scope: OpenTelemetryScope,
    name: string,
    options: ApiSpanOptions,
    context: OpenTelemetryContext,
  ): OpenTelemetrySpan
  /** What decides which traces are sampled, and which requests are kept. */
  readonly control: TracingControl
  /** The clock of its spans; `undefined` unless they are native. */
  readonly clock: Clock | undefined
  activeSpan(): Span | undefined
  /** Runs `fn` with `span` active, and with a baggage that replaces the active one, if given. */
  run<T>(span: Span, fn: () => T, baggage?: Baggage): T
  /** Like `run`, for a whole request, at less cost: values that `fn` enters into other storages may end with it. */
  runRequest<T>(span: Span, fn: () => T, baggage?: Baggage): T
  /**
   * Makes `span` active for the rest of the current asynchronous flow. For observers that are called before a request
   * is handled, and not around it.
   */
  enterRequest(span: Span, baggage?: Baggage): void
  /** Leaves the context of an earlier request of the same connection, which Node 20 and 22 still have. */
  leaveRequest(): void
  /** Returns the baggage of the active context. */
  activeBaggage(): Baggage | undefined
  /** Runs `fn` with another baggage in the active context. */
  runWithBaggage<T>(baggage: Baggage, fn: () => T): T
  /** The storage of the active context, for `TracingChannel.start.bindStore`. */
  readonly storage: AsyncLocalStorage<unknown>
  /** Whether `storage` has every active context; otherwise a context manager of OpenTelemetry's SDK does. */
  readonly ownsContexts: boolean
  /** Returns the value for `storage` with which `span` is active. */
  contextWith(span: Span): unknown
  /** Whether tracing is suppressed in the active context, as for the exporter's own requests. */
  isSuppressed(): boolean
}
