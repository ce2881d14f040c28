import type { Clock } from '../clock.ts'
import type { Exemplar } from './snapshot.ts'

/** The sampled trace that is going on, or `undefined`. */
export type ExemplarSource = () => { readonly traceId: string; readonly spanId: string } | undefined

/** Makes exemplars; `undefined` when there is no trace to show. A source that throws has none. */
export type TakeExemplar = (value: number) => Exemplar | undefined

export function createExemplarTaker(source: ExemplarSource, clock: Clock): TakeExemplar {
  return (value) => {
    const trace = ask(source)
    if (trace === undefined) return undefined
    return { value, traceId: trace.traceId, spanId: trace.spanId, timestamp: clock.wallTime() / 1_000 }
  }
}

function ask(source: ExemplarSource): ReturnType<ExemplarSource> {
  try {
    return source()
  } catch {
    return undefined
  }
}
