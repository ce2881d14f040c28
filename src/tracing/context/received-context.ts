import {
  randomFlag,
  sampledFlag,
  spanIdIn,
  type TraceContext,
  traceIdIn,
  traceparentFlags,
} from '../../ids/trace-context/traceparent.ts'
import { formatTracestate, parseTracestate } from '../../ids/trace-context/tracestate.ts'

/**
 * The trace context in the header lines of a request, as names and values in turn: `rawHeaders` of node:http, which are
 * there without being put together first. `undefined` where there is none to continue: a second `traceparent` makes both of
 * no use. Several lines of `tracestate` are one list. W3C Trace Context §3.2 and §3.3.
 */
export function traceContextOf(lines: readonly string[]): TraceContext | undefined {
  let traceparent: string | undefined
  let tracestate: string | undefined
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const name = lines[at] as string
    if (isFieldName(name, 'traceparent')) {
      if (traceparent !== undefined) return undefined
      traceparent = lines[at + 1]
    } else if (isFieldName(name, 'tracestate')) {
      tracestate = tracestate === undefined ? lines[at + 1] : `${tracestate},${lines[at + 1]}`
    }
  }
  return traceparent === undefined ? undefined : parseTraceContext(traceparent, tracestate)
}

/** Whether a name, in whatever case, is one in lower case: told by its length and its first letter in most cases. */
export function isFieldName(name: string, lowerCase: string): boolean {
  return (
    name.length === lowerCase.length &&
    (name.charCodeAt(0) | 0x20) === lowerCase.charCodeAt(0) &&
    (name === lowerCase || name.toLowerCase() === lowerCase)
  )
}

/**
 * The context in the two fields; a `tracestate` of no use is left out when somebody asks for it, and so are flags that have
 * no meaning yet: they are not to be sent on. W3C Trace Context Level 2 §3.2.2.5.
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

/** A context that is taken apart when it is asked for: few requests send it on, and it waits with a span to be exported. */
class ReceivedContext implements TraceContext {
  readonly flags: number
  readonly #traceparent: string
  /** As it was received, until it is looked at. */
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
