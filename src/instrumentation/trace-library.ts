import type { Tracing } from '../tracing/tracing.ts'
import type { Safely } from './safely.ts'

/** Traces one library. Returns a function that stops tracing. */
export type TraceLibrary = (tracing: Tracing, safely: Safely) => () => void

/** Combines several unsubscribe functions. */
export function combineUnsubscribes(ends: readonly (() => void)[]): () => void {
  return () => {
    for (const end of ends) end()
  }
}
