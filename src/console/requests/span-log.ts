import type { EndedSpan } from '../../tracing/spans/span-recorder.ts'
import type { HrTime } from '../../tracing/spans/span-times.ts'
import type { SpanFacts } from '../documents.ts'
import { showText, showValues, textLength } from '../shown-values.ts'

/** The estimated memory of a span without the strings in it, in bytes. */
const spanBytes = 768

/** Spans of which more would be kept are not. */
const maxSpanBytes = 64 * 1_024

const maxSpansPerTrace = 256
const maxTextLength = 1_024

/** OpenTelemetry's kinds of spans, by number. */
const kinds: readonly SpanFacts['kind'][] = ['internal', 'server', 'client', 'producer', 'consumer']

/** Spans of a trace, as they ended. */
interface Trace {
  readonly spans: EndedSpan[]
  bytes: number
}

const none: readonly EndedSpan[] = []

/** The spans of the last traces; those of requests that are kept for longer are dropped last. */
export class SpanLog {
  readonly #maximumBytes: number
  /** By trace, the oldest first. */
  readonly #recent = new Map<string, Trace>()
  readonly #kept = new Map<string, Trace>()
  /**
   * Iterates over `#recent`, and continues after the trace that was dropped last. A new iterator would first skip the
   * places of all that were dropped.
   */
  #order = this.#recent.entries()
  #bytes = 0
  #keptBytes = 0

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  add(span: EndedSpan): void {
    let added = bytesOf(span)
    if (added > maxSpanBytes) return
    const { traceId } = span.spanContext()
    const kept = this.#kept.get(traceId)
    const trace = kept ?? this.#recent.get(traceId) ?? this.#begin(traceId)
    if (trace.spans.length < maxSpansPerTrace) trace.spans.push(span)
    else if (kinds[span.kind] === 'server') {
      // It ends last, and is the one that all others belong to.
      added -= bytesOf(trace.spans.at(-1) as EndedSpan)
      trace.spans[maxSpansPerTrace - 1] = span
    } else return
    trace.bytes += added
    this.#bytes += added
    if (kept !== undefined) this.#keptBytes += added
    while (this.#bytes > this.#maximumBytes) this.#dropOldest()
  }

  /** Keeps the spans of a trace for longer. */
  keep(traceId: string): void {
    const trace = this.#recent.get(traceId)
    if (trace === undefined) return
    this.#recent.delete(traceId)
    this.#kept.set(traceId, trace)
    this.#keptBytes += trace.bytes
  }

  /** Returns the spans of a trace, in the order in which they began. */
  read(traceId: string): readonly SpanFacts[] {
    return this.ended(traceId)
      .map(show)
      .sort((one, other) => one.at - other.at)
  }

  /** Returns the spans of a trace as they ended. */
  ended(traceId: string): readonly EndedSpan[] {
    return (this.#recent.get(traceId) ?? this.#kept.get(traceId))?.spans ?? none
  }

  clear(): void {
    this.#recent.clear()
    this.#kept.clear()
    this.#bytes = 0
    this.#keptBytes = 0
  }

  #begin(traceId: string): Trace {
    const trace: Trace = { spans: [], bytes: 0 }
    this.#recent.set(traceId, trace)
    return trace
  }

  /**
   * Drops the oldest trace, or restarts `#order`, so that the next call drops one. Kept traces have at most half of the
   * budget.
   */
  #dropOldest(): void {
    const isKept = this.#recent.size === 0 || this.#keptBytes > this.#maximumBytes / 2
    const { value: oldest } = (isKept ? this.#kept.entries() : this.#order).next()
    if (oldest === undefined) {
      // An iterator that has ended does not return traces that were added since.
      this.#order = this.#recent.entries()
      return
    }
    const [traceId, { bytes }] = oldest
    const traces = isKept ? this.#kept : this.#recent
    traces.delete(traceId)
    this.#bytes -= bytes
    if (isKept) this.#keptBytes -= bytes
  }
}

/** Returns the estimated memory of a span. */
function bytesOf(span: EndedSpan): number {
  let characters = span.name.length + (span.events.length > 0 ? textLength(span.events, maxSpanBytes) : 0)
  const add = (_name: string, value: unknown) => {
    characters += textLength(value, maxSpanBytes)
  }
  if (span.forEachAttribute === undefined) characters += textLength(span.attributes, maxSpanBytes)
  else span.forEachAttribute(add)
  return spanBytes + 2 * characters
}

function show(span: EndedSpan): SpanFacts {
  const { spanId } = span.spanContext()
  const { code } = span.status
  return {
    spanId,
    parentId: span.parentSpanContext?.spanId,
    name: showText(span.name, maxTextLength),
    kind: kinds[span.kind] ?? 'internal',
    at: milliseconds(span.startTime),
    seconds: milliseconds(span.duration) / 1_000,
    status: code === 2 ? 'error' : code === 1 ? 'ok' : undefined,
    attributes: showValues(span.attributes, maxTextLength),
  }
}

function milliseconds([seconds, nanoseconds]: HrTime): number {
  return seconds * 1_000 + nanoseconds / 1e6
}
