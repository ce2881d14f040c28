import { sampledFlag } from '../../ids/trace-context/traceparent.ts'

/** The part of an OpenTelemetry span processor that upkeep uses; spans and contexts are passed through. */
interface SpanProcessor<S extends EndedSpan, C> {
  onStart(span: never, context: C): void
  onEnd(span: S): void
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

interface EndedSpan {
  spanContext(): { readonly traceFlags: number }
}

/** The queue of an exporter: its size, and the number of rejected spans. */
interface SpanQueue<S extends EndedSpan, C> {
  readonly processor: SpanProcessor<S, C>
  readonly size: number
  /** Removes this many spans from the queue. */
  take(count: number): void
}

/**
 * Wraps a batching processor and rejects spans beyond its capacity: the processor itself drops silently, and reports a
 * count only when another span arrives.
 */
export function createSpanQueue<S extends EndedSpan, C>(
  batching: SpanProcessor<S, C>,
  maximumSize: number,
  onDropped: () => void,
): SpanQueue<S, C> {
  let size = 0
  let isShutDown = false
  return {
    processor: {
      onStart: (span, context) => batching.onStart(span, context),
      onEnd(span) {
        if ((span.spanContext().traceFlags & sampledFlag) === 0) return
        if (isShutDown || size >= maximumSize) return onDropped()
        size += 1
        batching.onEnd(span)
      },
      forceFlush: () => batching.forceFlush(),
      shutdown() {
        isShutDown = true
        return batching.shutdown()
      },
    },
    get size() {
      return size
    },
    take(count) {
      size -= count
    },
  }
}
