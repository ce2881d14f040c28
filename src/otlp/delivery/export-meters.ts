import type { MeterRegistry } from '../../metrics/meter-registry.ts'

/** What is exported; the value of the tag `signal`. */
export type Signal = 'traces' | 'metrics'

/** The meters of the export itself. None of them throws, whatever filters do. */
export interface ExportMeters {
  exported(signal: Signal, count: number): void
  failed(signal: Signal, count: number): void
  rejected(signal: Signal, count: number): void
  dropped(signal: Signal, count: number): void
  repeated(signal: Signal): void
  /** Takes away what would go on reading; the counters stay. */
  close(): void
}

/** Spans and data points are what is counted, but for repetitions. They are there from the start, so that 0 can be seen. */
export function createExportMeters(
  meters: MeterRegistry,
  signals: readonly Signal[],
  queueSize: () => number,
): ExportMeters {
  const counting = (name: string, description: string) => {
    const counters = meters.counters(name, ['signal'], { description })
    for (const signal of signals) if (name !== 'otlp.dropped' || signal === 'traces') counters.with(signal)
    return (signal: Signal, count = 1) => {
      try {
        counters.with(signal).increment(count)
      } catch {
        // A filter of the application's that throws must cost no export.
      }
    }
  }
  const options = { description: 'Spans that wait to be exported' }
  const queue = signals.includes('traces')
    ? meters.gauge('otlp.queue.size', { signal: 'traces' }, queueSize, options)
    : undefined
  return {
    exported: counting('otlp.exported', 'Spans and data points that the receiver has taken'),
    failed: counting('otlp.failed', 'Spans and data points of exports that failed, repetitions included'),
    rejected: counting('otlp.rejected', 'Spans and data points that the receiver said it has not taken'),
    dropped: counting('otlp.dropped', 'Spans that were dropped because too many wait'),
    close: () => void (queue && meters.remove(queue)),
    repeated: counting('otlp.repeated', 'Requests to the receiver that were repeated'),
  }
}
