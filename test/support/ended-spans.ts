/** An ended span: the properties common to every tracer. */
export interface TracedRequest {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: { readonly code: number; readonly message?: string }
  readonly events: readonly { readonly name: string; readonly attributes?: Readonly<Record<string, unknown>> }[]
}

/** The properties of `ReadableSpan` of OpenTelemetry that are read here. */
interface Readable extends Omit<TracedRequest, 'traceId' | 'spanId' | 'parentSpanId'> {
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }
  readonly parentSpanContext?: { readonly spanId: string } | undefined
}

/** Creates a `SpanProcessor` that collects ended spans. */
export function collectEndedSpans() {
  const ended: TracedRequest[] = []
  return {
    ended,
    processor: {
      onStart() {},
      onEnd(span: Readable) {
        const { traceId, spanId } = span.spanContext()
        const { name, kind, attributes, status, events, parentSpanContext } = span
        ended.push({ name, kind, attributes, status, events, traceId, spanId, parentSpanId: parentSpanContext?.spanId })
      },
      forceFlush: async () => {},
      shutdown: async () => {},
    },
  }
}
