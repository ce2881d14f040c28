import { createSafeCall, unexpected } from '../base/callback.ts'
import type { Clock } from '../base/clock.ts'
import type { Exemplar } from './snapshot.ts'

/** Returns the ids of the current trace if it is sampled, else `undefined`. */
export type ExemplarSource = () => { readonly traceId: string; readonly spanId: string } | undefined

/** Creates the exemplars of a registry's meters. */
export interface Exemplars {
  /**
   * May become `true` after meters were created; while it is `false`, recording costs no more than without exemplars.
   */
  readonly isOn: boolean
  /** Returns the exemplar of a measurement; `undefined` if there is no sampled trace, or its source failed. */
  readonly take: (value: number) => Exemplar | undefined
}

/** `failed` is called with the first error of the source; the measurement then has no exemplar. */
export function createExemplars(source: ExemplarSource, clock: Clock, failed: (error: unknown) => void): Exemplars {
  const call = createSafeCall<[], ReturnType<ExemplarSource>>(readTrace, failed)
  return {
    isOn: true,
    take(value) {
      const trace = call(source)
      if (trace === undefined) return undefined
      return { value, traceId: trace.traceId, spanId: trace.spanId, timestamp: clock.wallTime() / 1_000 }
    },
  }
}

/** Throws for ids that are not strings: they could not be written, and would make the scrape fail. */
function readTrace(trace: unknown): ReturnType<ExemplarSource> {
  if (trace === undefined || trace === null) return undefined
  if (typeof trace !== 'object' || !('traceId' in trace && 'spanId' in trace)) {
    throw unexpected('{ traceId, spanId } or undefined', trace)
  }
  const { traceId, spanId } = trace
  if (typeof traceId !== 'string') throw unexpected('{ traceId, spanId } with a string as traceId', traceId)
  if (typeof spanId !== 'string') throw unexpected('{ traceId, spanId } with a string as spanId', spanId)
  return { traceId, spanId }
}
