import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { Tags } from '../../metrics/series/tags.ts'
import type { Span, TracedOptions } from '../../tracing/span.ts'
import { traced } from '../../tracing/traced.ts'

/** Options of work that is measured by a timer and traced by a span. */
export interface SpanWorkOptions extends TracedOptions {
  /** Tags of the timer. */
  readonly tags?: Tags | undefined
}

/** Runs a function in a span. */
export type RunTraced = <R>(name: string, work: (span: Span | undefined) => R, options?: TracedOptions) => R

/** Returns how a management traces work: like the process, or not at all. */
export function runTraced(isTraced: boolean): RunTraced {
  return isTraced ? traced : (_name, work) => work(undefined)
}

/** Returns a function that times and traces work under one name. */
export function createSpanWork(meters: MeterRegistry, run: RunTraced) {
  return <R>(name: string, work: (span: Span | undefined) => R, { tags, ...options }: SpanWorkOptions = {}): R =>
    meters.timer(name, tags).time(() => run(name, work, options))
}
