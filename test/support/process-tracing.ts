import { createManagement } from 'upkeep'
import type { Tracing } from '../../src/tracing/tracing.ts'

/**
 * Returns the tracing of this process, which the package keeps under a registered symbol so that all copies of it share
 * one; `undefined` while it is off.
 */
export function processTracing(): Tracing | undefined {
  const shared = globalThis as { [key: symbol]: { readonly current: Tracing | undefined } | undefined }
  return shared[Symbol.for('upkeep.tracing')]?.current
}

/** Switches the tracing of this process on, as an application without an SDK does; returns what switches it off. */
export function switchTracingOn(): () => void {
  return createManagement({ tracing: true, metrics: { runtime: false } }).close
}
