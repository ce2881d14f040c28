import { argumentOutOfRange, invalidArgument } from '../../base/errors.ts'
import { isBaggageKey } from '../../ids/trace-context/baggage.ts'
import { baggageSelection, currentTracing } from '../current-tracing.ts'
import type { Span } from '../span.ts'
import { type Baggage, emptyBaggage } from './context-baggage.ts'

/**
 * Returns the value of a key of the current baggage: what a caller has sent in the header field `baggage`, or
 * `withBaggage` has set. `undefined` without such a value, or while the process is not traced.
 */
export function getBaggage(key: string): string | undefined {
  return currentBaggage()?.get(key)
}

/**
 * Runs a function with these values in the baggage, which outgoing requests and messages carry in the header field
 * `baggage`. They replace values with the same key; `undefined` removes one. While the process is not traced the
 * function is run without them. At most 64 values and 8,192 characters are sent; received ones are omitted first.
 *
 * @throws RangeError if a key has other characters than letters, digits and `!#$%&'*+-.^_`|~`; TypeError if a value is
 *   not a string.
 */
export function withBaggage<R>(entries: Readonly<Record<string, string | undefined>>, work: () => R): R {
  for (const [key, value] of Object.entries(entries)) {
    if (!isBaggageKey(key)) throw argumentOutOfRange(`withBaggage: expected a key, received ${JSON.stringify(key)}`)
    if (value !== undefined && typeof value !== 'string') {
      throw invalidArgument(`withBaggage: ${key}: expected a string, received ${typeof value}`)
    }
  }
  const tracing = currentTracing()
  if (tracing === undefined) return work()
  return tracing.runWithBaggage((currentBaggage() ?? emptyBaggage).with(entries), work)
}

/** Returns the baggage of the current trace; `undefined` without any. Never throws. */
export function currentBaggage(): Baggage | undefined {
  try {
    return currentTracing()?.activeBaggage()
  } catch {
    // A context manager of the application that throws must not fail what is traced or logged.
    return undefined
  }
}

/** Returns the values of some keys that the baggage has. */
export function selectBaggage(baggage: Baggage, keys: readonly string[]): Record<string, string> {
  const selected: Record<string, string> = {}
  for (const key of keys) {
    const value = baggage.get(key)
    if (value !== undefined) selected[key] = value
  }
  return selected
}

/** Adds the values of a baggage that are selected as attributes to a span. */
export function addBaggageAttributes(span: Span, baggage: Baggage | undefined): void {
  const keys = baggageSelection()?.spanAttributes
  if (keys === undefined || baggage === undefined || !span.isRecording) return
  span.setAttributes(selectBaggage(baggage, keys))
}
