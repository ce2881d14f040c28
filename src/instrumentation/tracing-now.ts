import { currentTracing } from '../tracing/current-tracing.ts'
import type { Tracing } from '../tracing/tracing.ts'

/** Returns the tracing of the process, unless it is off or suppressed in this context. */
export function tracingNow(): Tracing | undefined {
  const tracing = currentTracing()
  return tracing === undefined || tracing.isSuppressed() ? undefined : tracing
}

/**
 * Returns a function that runs another one in the asynchronous context of this call, including the contexts of an SDK
 * and of other `AsyncLocalStorage` instances.
 */
export function captureContext(): <A extends readonly unknown[], R>(fn: (...args: A) => R, ...args: A) => R {
  return process.getBuiltinModule('node:async_hooks').AsyncLocalStorage.snapshot()
}
