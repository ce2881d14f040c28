import type { Clock } from '../base/clock.ts'
import type { Exemplars } from '../metrics/exemplar.ts'
import type { Exemplar } from '../metrics/snapshot.ts'
import { currentTracing, whileTracing } from './current-tracing.ts'
import type { Span } from './span.ts'
import { isSampled } from './spans/bridged-span.ts'

/** Exemplars that refer to the active span, if its trace is sampled. On only while the process is traced. */
export interface TraceExemplars extends Exemplars {
  /**
   * Sets the span to use in place of the active one, for what is measured after the span was active; `undefined` resets
   * it.
   */
  setSpan(span: Span | undefined): void
  close(): void
}

export function createTraceExemplars(clock: Clock): TraceExemplars {
  let setByCaller: Span | undefined
  const exemplars = {
    isOn: false,
    take(value: number): Exemplar | undefined {
      try {
        const span = setByCaller ?? currentTracing()?.activeSpan()
        if (span === undefined || !isSampled(span)) return undefined
        const { traceId, spanId } = span.context
        return { value, traceId, spanId, timestamp: clock.wallTime() / 1_000 }
      } catch {
        // A context manager of the application that throws must not fail the code that records.
        return undefined
      }
    },
    setSpan(span: Span | undefined) {
      setByCaller = span
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
