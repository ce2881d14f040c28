import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { HeldMeters, HeldRequests } from '../../tracing/held/held-requests.ts'

/** An exported signal; the value of the tag `signal`. */
export type Signal = 'traces' | 'metrics' | 'logs'

/** Meters of the export. Recording never throws, even if a filter does. */
export interface ExportMeters {
  exported(signal: Signal, count: number): void
  failed(signal: Signal, count: number): void
  rejected(signal: Signal, count: number): void
  dropped(signal: Signal, count: number): void
  repeated(signal: Signal): void
  /** Removes the gauges; counters are kept. */
  close(): void
}

/** Counts spans, data points, log records, and retries. All counters are registered at the start, so that 0 is visible. */
export function createExportMeters(
  meters: MeterRegistry,
  signals: readonly Signal[],
  queueSize: (signal: Signal) => number,
): ExportMeters {
  const counting = (name: string, description: string) => {
    const counters = meters.counters(name, ['signal'], { description })
    for (const signal of signals) if (name !== 'otlp.dropped' || signal !== 'metrics') counters.with(signal)
    return (signal: Signal, count = 1) => {
      try {
        counters.with(signal).increment(count)
      } catch {
        // A filter of the application that throws must not affect exports.
      }
    }
  }
  const options = { description: 'Spans and log records waiting to be exported' }
  const queues = signals
    .filter((signal) => signal !== 'metrics')
    .map((signal) => meters.gauge('otlp.queue.size', { signal }, () => queueSize(signal), options))
  return {
    exported: counting('otlp.exported', 'Spans, data points and log records accepted by the receiver'),
    failed: counting('otlp.failed', 'Spans, data points and log records of failed exports, after retries'),
    rejected: counting(
      'otlp.rejected',
      'Spans, data points and log records rejected by the receiver in accepted exports',
    ),
    dropped: counting('otlp.dropped', 'Spans and log records dropped because the queue was full'),
    close() {
      for (const queue of queues) meters.remove(queue)
    },
    repeated: counting('otlp.repeated', 'Retried requests to the receiver'),
  }
}

/** Registers the meters of held requests. */
export function createHeldMeters(meters: MeterRegistry, held: HeldRequests): HeldMeters {
  const counting = (name: string, description: string) => {
    const counters = meters.counters(name, ['signal', 'reason'], { description })
    return (signal: string, reason: string) => {
      try {
        counters.with(signal, reason).increment()
      } catch {
        // A filter of the application that throws must not affect requests.
      }
    }
  }
  const size = meters.gauge('otlp.held.size', {}, () => held.bytes, {
    description: 'Estimated memory of the spans and log records that are held until their requests end',
    baseUnit: 'bytes',
  })
  return {
    dropped: counting('otlp.held.dropped', 'Held spans and log records dropped because of a limit'),
    exported: counting('otlp.held.exported', 'Held spans and log records exported because of their requests'),
    close() {
      meters.remove(size)
    },
  }
}
