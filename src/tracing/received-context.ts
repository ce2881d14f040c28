import { parseTraceparent, type TraceContext } from '../ids/traceparent.ts'
import { formatTracestate, parseTracestate } from '../ids/tracestate.ts'

/**
 * The trace context in the header lines of a request, as names and values in turn: `rawHeaders` of node:http, which are
 * there without being put together first. `undefined` where there is none to continue: a second `traceparent` makes both of
 * no use. Several lines of `tracestate` are one list. W3C Trace Context §3.2 and §3.3.
 */
export function contextOfLines(lines: readonly string[]): TraceContext | undefined {
  let traceparent: string | undefined
  let tracestate: string | undefined
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const name = lines[at] as string
    if (isField(name, 'traceparent')) {
      if (traceparent !== undefined) return undefined
      traceparent = lines[at + 1]
    } else if (isField(name, 'tracestate')) {
      tracestate = tracestate === undefined ? lines[at + 1] : `${tracestate},${lines[at + 1]}`
    }
  }
  return traceparent === undefined ? undefined : receivedContext(traceparent, tracestate)
}

/** The first value of a field in such lines, without putting all of them together. */
export function lineOf(lines: readonly string[], name: string): string | undefined {
  for (let at = 0; at + 1 < lines.length; at += 2) {
    if (isField(lines[at] as string, name)) return lines[at + 1]
  }
  return undefined
}

/** Whether a name, in whatever case, is one in lower case: told by its length and its first letter in most cases. */
function isField(name: string, lowerCase: string): boolean {
  return (
    name.length === lowerCase.length &&
    (name.charCodeAt(0) | 0x20) === lowerCase.charCodeAt(0) &&
    (name === lowerCase || name.toLowerCase() === lowerCase)
  )
}

/** The context in the two fields; a `tracestate` of no use is left out when somebody asks for it. */
export function receivedContext(
  traceparent: string | undefined,
  tracestate: string | undefined,
): TraceContext | undefined {
  const context = parseTraceparent(traceparent)
  return context === undefined || tracestate === undefined ? context : new ReceivedContext(context, tracestate)
}

/** A context whose `tracestate` is looked at when it is asked for: few requests send it on. */
class ReceivedContext implements TraceContext {
  readonly traceId: string
  readonly spanId: string
  readonly flags: number
  readonly #received: string
  #tracestate: string | undefined = undefined
  #isRead = false

  constructor({ traceId, spanId, flags }: TraceContext, received: string) {
    this.traceId = traceId
    this.spanId = spanId
    this.flags = flags
    this.#received = received
  }

  get tracestate(): string | undefined {
    if (!this.#isRead) {
      this.#isRead = true
      this.#tracestate = formatTracestate(parseTracestate(this.#received) ?? []) || undefined
    }
    return this.#tracestate
  }
}
