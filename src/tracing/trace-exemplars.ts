import type { Clock } from '../clock.ts'
import { createExemplarTaker, type Exemplars } from '../metrics/exemplar.ts'
import { currentTracing, whileTracing } from './current-tracing.ts'
import type { Span } from './span.ts'
import { isSampled } from './unrecorded-span.ts'

/** Exemplars of the sampled trace that is going on, from when the process is traced. */
export interface TraceExemplars extends Exemplars {
  /** Makes a span the one that is going on, where none is: for what is measured after its end. */
  among(span: Span | undefined): void
  close(): void
}

export function createTraceExemplars(clock: Clock): TraceExemplars {
  let last: Span | undefined
  const take = createExemplarTaker(() => {
    const span = last ?? currentTracing()?.activeSpan()
    return span !== undefined && isSampled(span) ? span.context : undefined
  }, clock)
  const exemplars = {
    isOn: false,
    take,
    among(span: Span | undefined) {
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
