import type { TraceContext } from '../../ids/trace-context/traceparent.ts'
import { formatTracestate, parseTracestate, type TracestateMember } from '../../ids/trace-context/tracestate.ts'
import type { OpenTelemetrySpanContext, OpenTelemetryTraceState } from '../open-telemetry.ts'

/** Converts a trace context to OpenTelemetry's `SpanContext`. */
export function toSpanContext(context: TraceContext, isRemote: boolean): OpenTelemetrySpanContext {
  const { traceId, spanId, flags, tracestate } = context
  return tracestate === undefined
    ? { traceId, spanId, traceFlags: flags, isRemote }
    : { traceId, spanId, traceFlags: flags, isRemote, traceState: new TraceState(parseTracestate(tracestate) ?? []) }
}

/** Whether a span context has ids that are not all zeros. W3C Trace Context §3.2.2. */
export function isValidSpanContext({ traceId, spanId }: OpenTelemetrySpanContext): boolean {
  return /^(?!0{32}$)[0-9a-f]{32}$/i.test(traceId) && /^(?!0{16}$)[0-9a-f]{16}$/i.test(spanId)
}

/** W3C Trace Context §3.3.1.1. */
const maxMembers = 32

class TraceState implements OpenTelemetryTraceState {
  readonly #members: readonly TracestateMember[]

  constructor(members: readonly TracestateMember[]) {
    this.#members = members
  }

  get(key: string): string | undefined {
    return this.#members.find((member) => member.key === key)?.value
  }

  set(key: string, value: string): OpenTelemetryTraceState {
    return new TraceState([{ key, value }, ...this.#without(key)].slice(0, maxMembers))
  }

  unset(key: string): OpenTelemetryTraceState {
    return new TraceState(this.#without(key))
  }

  serialize(): string {
    try {
      return formatTracestate(this.#members)
    } catch {
      // An SDK may have set a member that violates the grammar; the request must not fail because of it.
      return ''
    }
  }

  #without(key: string): readonly TracestateMember[] {
    return this.#members.filter((member) => member.key !== key)
  }
}
