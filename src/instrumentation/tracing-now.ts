import { currentTracing } from '../tracing/current-tracing.ts'
import type { Span } from '../tracing/span.ts'
import type { Tracing } from '../tracing/tracing.ts'

/** The tracing of this process, unless it is off or what runs now is not to be traced. */
export function tracingNow(): Tracing | undefined {
  const tracing = currentTracing()
  return tracing === undefined || tracing.isSuppressed() ? undefined : tracing
}

/**
 * Returns a function that calls another in the asynchronous context of this call: with the spans of upkeep, of an SDK of the
 * application's, and whatever else the caller keeps in an `AsyncLocalStorage`.
 */
export function captureContext(): <A extends readonly unknown[], R>(fn: (...args: A) => R, ...args: A) => R {
  return process.getBuiltinModule('node:async_hooks').AsyncLocalStorage.snapshot()
}

/** Begins a span by what a client was called with, which can be anything: what fails costs the span and not the call. */
export function attemptSpan(begin: () => Span): Span | undefined {
  try {
    return begin()
  } catch {
    return undefined
  }
}
