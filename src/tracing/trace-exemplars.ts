import type { Clock } from '../base/clock.ts'
import type { Exemplars } from '../metrics/exemplars.ts'
import type { Exemplar } from '../metrics/snapshot.ts'
import { currentTracing, whileTracing } from './current-tracing.ts'
import type { Span } from './span.ts'
import { isSampled } from './spans/non-recording-span.ts'

/** Exemplars of the sampled trace that is going on, from when the process is traced. */
export interface TraceExemplars extends Exemplars {
  /** Makes a span the one that is going on, where none is: for what is measured after its end. */
  setSpan(span: Span | undefined): void
  close(): void
}

export function createTraceExemplars(clock: Clock): TraceExemplars {
  let last: Span | undefined
  const exemplars = {
    isOn: false,
    take(value: number): Exemplar | undefined {
      try {
        const span = last ?? currentTracing()?.activeSpan()
        if (span === undefined || !isSampled(span)) return undefined
        const { traceId, spanId } = span.context
        return { value, traceId, spanId, timestamp: clock.wallTime() / 1_000 }
      } catch {
        // A context manager of the application's that throws must not fail the code that records.
        return undefined
      }
    },
    setSpan(span: Span | undefined) {
      last = span
    },
  }
  const close = whileTracing(() => {
    exemplars.isOn = true
    return () => {
      exemplars.isOn = false
    }
  })
  return Object.assign(exemplars, { close })
}
