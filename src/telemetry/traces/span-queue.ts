/** What upkeep sees of a processor of spans. */
export interface Processor<S, C> {
  onStart(span: S, context: C): void
  onEnd(span: EndedSpan): void
  forceFlush(): Promise<void>
  shutdown(): Promise<void>
}

export interface EndedSpan {
  spanContext(): { readonly traceFlags: number }
}

/** The queue before an exporter: knows how many spans wait in it, and counts those that find no place. */
export interface SpanQueue<P> {
  readonly processor: P
  readonly size: number
  /** So many have left the queue. */
  take(count: number): void
}

/**
 * A batching processor that lets in no more spans than it has place for: by itself it drops without a word, and forgets how
 * many, unless another span comes.
 */
export function createSpanQueue<P extends Processor<never, never>>(
  batching: P,
  maximumSize: number,
  onDropped: () => void,
): SpanQueue<P> {
  let size = 0
  let isShutDown = false
  const onEnd = (span: EndedSpan): void => {
    if ((span.spanContext().traceFlags & 1) === 0) return
    if (isShutDown || size >= maximumSize) return onDropped()
    size += 1
    batching.onEnd(span)
  }
  const shutdown = (): Promise<void> => {
    isShutDown = true
    return batching.shutdown()
  }
  return {
    // Everything else, such as what 3.x has beside these, is the batching processor's own.
    processor: Object.assign(Object.create(batching) as P, { onEnd, shutdown }),
    get size() {
      return size
    },
    take(count) {
      size -= count
    },
  }
}
