import type { TraceIds } from '../../ids/trace-context/trace-ids.ts'
import { sampledFlag, type TraceContext } from '../../ids/trace-context/traceparent.ts'
import type { HeldRequest } from '../held/held-request.ts'
import type { OpenTelemetrySpan } from '../open-telemetry.ts'
import type { Span } from '../span.ts'

/** A span created by upkeep, with its OpenTelemetry view. */
export interface BridgedSpan extends Span {
  /** Whether its trace is sampled. Reading it generates no ids, other than reading `context`. */
  readonly isSampled: boolean
  readonly openTelemetry: OpenTelemetrySpan
  /** The request in which it was started, if that is held. */
  readonly heldRequest?: HeldRequest
}

/** Safe: every `Span` is created in this folder, and is a `BridgedSpan`. */
export function bridged(span: Span): BridgedSpan {
  return span as BridgedSpan
}

/** Returns the held request of a span or a parent; `undefined` without one. */
export function heldRequestOf(span: Span | TraceContext | undefined): HeldRequest | undefined {
  return (span as Partial<BridgedSpan> | undefined)?.heldRequest
}

/** Returns the trace context of a parent: a span, or already the context of a caller in another process. */
export function contextOf(parent: Span | TraceContext): TraceContext {
  return 'context' in parent ? parent.context : parent
}

/** Whether the trace of a parent is sampled. Generates no ids. */
export function isSampled(parent: Span | TraceContext): boolean {
  return 'context' in parent ? bridged(parent).isSampled : (parent.flags & sampledFlag) === sampledFlag
}

/** Whether spans may be recorded below a span that has ended. Generates no ids. */
export function isRecordedBelow(span: Span): boolean {
  return isSampled(span) || heldRequestOf(span)?.accepts === true
}

/** Generates the context of a new span: in the trace of its parent, or in a new trace that has `rootFlags`. */
export function childContext(parent: Span | TraceContext | undefined, ids: TraceIds, rootFlags: number): TraceContext {
  const spanId = ids.spanId()
  if (parent === undefined) return { traceId: ids.traceId(), spanId, flags: rootFlags }
  const { traceId, flags, tracestate } = contextOf(parent)
  return tracestate === undefined ? { traceId, spanId, flags } : { traceId, spanId, flags, tracestate }
}
