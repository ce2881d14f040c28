import type { TraceContext } from '../ids/trace-context/traceparent.ts'
import type { Baggage } from './context/context-baggage.ts'

/**
 * The role of a span in its trace: work within the service, or one side of a call or a message (OpenTelemetry
 * `SpanKind`).
 */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** Attributes of a span, named by OpenTelemetry's semantic conventions. Those that are `undefined` are omitted. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>

/** The value of an attribute of a span. */
export type AttributeValue = string | number | boolean

/** One unit of work in a trace. Its methods never throw, and do nothing after `end`. */
export interface Span {
  /** Its position in the trace. The ids of a span that is not recorded are generated on first read. */
  readonly context: TraceContext
  /** Whether its attributes, name and errors are recorded. */
  readonly isRecording: boolean
  /** Adds attributes; replaces those with the same key. */
  setAttributes(attributes: Attributes): void
  /** Replaces the name. */
  rename(name: string): void
  /** Sets the status ERROR and records the error, unless it is `undefined`, as an event. */
  fail(error: unknown): void
  /** Ends the span. `endedAt` is in milliseconds of its tracing's monotonic clock. @default now */
  end(endedAt?: number): void
}

/** Options of the span of a function. */
export interface TracedOptions {
  /** @default 'internal' for `traced`, 'consumer' for `withTrace` */
  readonly kind?: SpanKind | undefined
  /** Attributes that the span starts with. @default {} */
  readonly attributes?: Attributes | undefined
  /** Spans that led to this one without being its parent, such as those of a batch's other messages. @default [] */
  readonly links?: readonly TraceContext[] | undefined
}

/** Options of a span. */
export interface SpanOptions extends TracedOptions {
  /**
   * The parent span, or the trace context of a caller; `'root'` starts a trace. @default the active span, else `'root'`
   */
  readonly parent?: Span | TraceContext | 'root' | undefined
  /** The baggage that comes with the parent. @default that of the active context */
  readonly baggage?: Baggage | undefined
}
