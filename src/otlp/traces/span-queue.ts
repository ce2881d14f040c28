import { sampledFlag } from '../../ids/trace-context/traceparent.ts'

/** What upkeep sees of a processor of spans; spans and contexts are handed on as they are. */
export interface SpanProcessor<S extends EndedSpan, C> {
  onStart(span: never, context: C): void
  onEnd(span: S): void
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

export interface EndedSpan {
  spanContext(): { readonly traceFlags: number }
}

/** The queue before an exporter: knows how many spans wait in it, and counts those that find no place. */
export interface SpanQueue<S extends EndedSpan, C> {
  readonly processor: SpanProcessor<S, C>
  readonly size: number
  /** So many have left the queue. */
  take(count: number): void
}

/**
 * A batching processor that lets in no more spans than it has place for: by itself it drops without a word, and forgets how
 * many, unless another span comes.
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
