import { createSafeCall, unexpected } from '../base/callback.ts'
import type { Clock } from '../base/clock.ts'
import type { Exemplar } from './snapshot.ts'

/** The sampled trace that is going on, or `undefined`. */
export type ExemplarSource = () => { readonly traceId: string; readonly spanId: string } | undefined

/** Makes exemplars; `undefined` when there is no trace to show, or the source failed. */
export type TakeExemplar = (value: number) => Exemplar | undefined

export function createExemplarTaker(
  source: ExemplarSource,
  clock: Clock,
  failed: (error: unknown) => void,
): TakeExemplar {
  const call = createSafeCall<[], ReturnType<ExemplarSource>>(readTrace, failed)
  return (value) => {
    const trace = call(source)
    if (trace === undefined) return undefined
    return { value, traceId: trace.traceId, spanId: trace.spanId, timestamp: clock.wallTime() / 1_000 }
  }
}

/** Ids that are not strings could not be written, and would end the page of a scrape. */
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
