import {
  randomFlag,
  sampledFlag,
  spanIdIn,
  type TraceContext,
  traceIdIn,
  traceparentFlags,
} from '../../ids/trace-context/traceparent.ts'
import { formatTracestate, parseTracestate } from '../../ids/trace-context/tracestate.ts'
import { Baggage } from './context-baggage.ts'

/**
 * Returns the trace context in the `rawHeaders` of a request (names and values alternate), which are cheaper to read
 * than `headers`; `undefined` if it is absent or invalid. More than one `traceparent` is invalid; several `tracestate`
 * lines are one list. W3C Trace Context §3.2 and §3.3.
 */
export function traceContextOf(rawHeaders: readonly string[]): TraceContext | undefined {
  let traceparent: string | undefined
  let tracestate: string | undefined
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (isFieldName(name, 'traceparent')) {
      if (traceparent !== undefined) return undefined
      traceparent = rawHeaders[at + 1]
    } else if (isFieldName(name, 'tracestate')) {
      tracestate = tracestate === undefined ? rawHeaders[at + 1] : `${tracestate},${rawHeaders[at + 1]}`
    }
  }
  return traceparent === undefined ? undefined : parseTraceContext(traceparent, tracestate)
}

/** Returns the baggage in the `rawHeaders` of a request; several lines are one list. W3C Baggage §3.3. */
export function baggageIn(rawHeaders: readonly string[]): Baggage | undefined {
  let field: string | undefined
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (!isFieldName(rawHeaders[at] as string, 'baggage')) continue
    field = field === undefined ? rawHeaders[at + 1] : `${field},${rawHeaders[at + 1]}`
  }
  return field === undefined ? undefined : new Baggage(field)
}

/**
 * Compares a field name, in any case, with one in lower case. Most names differ in length or first letter, which is
 * fast.
 */
export function isFieldName(name: string, lowerCase: string): boolean {
  return (
    name.length === lowerCase.length &&
    (name.charCodeAt(0) | 0x20) === lowerCase.charCodeAt(0) &&
    (name === lowerCase || name.toLowerCase() === lowerCase)
  )
}

/**
 * Parses the two header fields; returns `undefined` if the `traceparent` is not valid. An invalid `tracestate` is
 * omitted, and so are unknown flags, which must not be propagated. W3C Trace Context Level 2 §3.2.2.5.
 */
export function parseTraceContext(
  traceparent: string | undefined,
  tracestate: string | undefined,
): TraceContext | undefined {
  const flags = traceparent === undefined ? undefined : traceparentFlags(traceparent)
  return traceparent === undefined || flags === undefined
    ? undefined
    : new ReceivedContext(traceparent, flags & (sampledFlag | randomFlag), tracestate)
}

/** A context that is parsed on read: few requests propagate it, and a span holds on to it until it is exported. */
class ReceivedContext implements TraceContext {
  readonly flags: number
  readonly #traceparent: string
  /** As received, until it is read. */
  #tracestate: string | undefined
  #isRead = false

  constructor(traceparent: string, flags: number, tracestate: string | undefined) {
    this.flags = flags
    this.#traceparent = traceparent
    this.#tracestate = tracestate
  }

  get traceId(): string {
    return traceIdIn(this.#traceparent)
  }

  get spanId(): string {
    return spanIdIn(this.#traceparent)
  }

  get tracestate(): string | undefined {
    if (this.#tracestate !== undefined && !this.#isRead) {
      this.#isRead = true
      this.#tracestate = formatTracestate(parseTracestate(this.#tracestate) ?? []) || undefined
    }
    return this.#tracestate
  }
}
