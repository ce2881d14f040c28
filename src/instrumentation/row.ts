import type { Tracing } from '../tracing/tracing.ts'
import type { Safely } from './safely.ts'

/** One library: how what it does is traced. Begins to listen to it, and answers what ends that. */
export type Row = (tracing: Tracing, safely: Safely) => () => void

/** Several as one. */
export function together(ends: readonly (() => void)[]): () => void {
  return () => {
    for (const end of ends) end()
  }
}
