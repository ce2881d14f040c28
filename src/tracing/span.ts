import type { TraceContext } from '../ids/trace-context/traceparent.ts'

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** Attributes of a span, named by OpenTelemetry's semantic conventions. Those that are `undefined` are omitted. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>

export type AttributeValue = string | number | boolean

/** One unit of work in a trace. Its methods never throw, and do nothing after `end`. */
export interface Span {
  /** Its position in the trace. The ids of a span that is not recorded are generated on first read. */
  readonly context: TraceContext
  /** Whether its attributes, name and errors are recorded. */
  readonly isRecording: boolean
  /** Adds attributes; replaces those with the same key. */
  setAttributes(attributes: Attributes): void
  rename(name: string): void
  /** Sets the status ERROR and records the error, unless it is `undefined`, as an event. */
  fail(error: unknown): void
  /** Ends the span. `endedAt` is in milliseconds of its tracing's monotonic clock. @default now */
  end(endedAt?: number): void
}

export interface SpanOptions {
  /** @default 'internal' */
  readonly kind?: SpanKind | undefined
  readonly attributes?: Attributes | undefined
  /**
   * The parent span, or the trace context of a caller; `'root'` starts a trace. @default the active span, else `'root'`
   */
  readonly parent?: Span | TraceContext | 'root' | undefined
  /** Spans that led to this one without being its parent, such as those of the other messages of a batch. */
  readonly links?: readonly TraceContext[] | undefined
}
