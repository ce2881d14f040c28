import type { TraceContext } from '../ids/trace-context/traceparent.ts'

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** What is told of a span, by the names of OpenTelemetry's semantic conventions; what is `undefined` is not told. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>

export type AttributeValue = string | number | boolean

/** One unit of work in a trace. None of its functions throws, and after `end` none does anything. */
export interface Span {
  /** Where in which trace it is. Made only when asked for, where the span is not recorded. */
  readonly context: TraceContext
  /** Whether anybody will see what is told of it. */
  readonly isRecording: boolean
  setAttributes(attributes: Attributes): void
  rename(name: string): void
  /** Gives it the status ERROR, and the error, unless it is `undefined`, as an event. */
  fail(error: unknown): void
  /** `endedAt` is when by the clock of its tracing, in milliseconds of its monotonic time; now, unless it is told. */
  end(endedAt?: number): void
}

export interface SpanOptions {
  /** @default 'internal' */
  readonly kind?: SpanKind | undefined
  readonly attributes?: Attributes | undefined
  /** What it is below; `'root'` begins a trace. @default the active span, else `'root'` */
  readonly parent?: Span | TraceContext | 'root' | undefined
  /** What led to this span without being its parent, such as the other messages of a batch. */
  readonly links?: readonly TraceContext[] | undefined
}
