import type { TraceIds } from '../../ids/trace-context/trace-ids.ts'
import { randomFlag, sampledFlag, type TraceContext } from '../../ids/trace-context/traceparent.ts'
import { type BridgedSpan, bridged } from '../context/context.ts'
import type { OpenTelemetrySpan } from '../open-telemetry.ts'
import type { Span } from '../span.ts'
import { SilentSpan } from './remote-span.ts'

/** A span that nobody records: it is there for its ids, which are made when somebody asks for them. */
export class NonRecordingSpan implements BridgedSpan {
  readonly #parent: Span | TraceContext | undefined
  readonly #isSampled: boolean
  readonly #ids: TraceIds
  #context: TraceContext | undefined = undefined
  #openTelemetry: OpenTelemetrySpan | undefined = undefined

  /** `isSampled` says it of a root; below a parent it is as the parent says. */
  constructor(parent: Span | TraceContext | undefined, isSampled: boolean, ids: TraceIds) {
    this.#parent = parent
    this.#isSampled = isSampled
    this.#ids = ids
  }

  get context(): TraceContext {
    this.#context ??= this.#makeContext()
    return this.#context
  }

  #makeContext(): TraceContext {
    const parent = this.#parent === undefined ? undefined : contextOf(this.#parent)
    const spanId = this.#ids.spanId()
    if (parent === undefined) {
      return { traceId: this.#ids.traceId(), spanId, flags: randomFlag | (this.#isSampled ? sampledFlag : 0) }
    }
    const { traceId, flags, tracestate } = parent
    return tracestate === undefined ? { traceId, spanId, flags } : { traceId, spanId, flags, tracestate }
  }

  get isSampled(): boolean {
    return this.#parent === undefined ? this.#isSampled : isSampled(this.#parent)
  }

  get isRecording(): boolean {
    return false
  }

  get openTelemetry(): OpenTelemetrySpan {
    this.#openTelemetry ??= new SilentSpan(this)
    return this.#openTelemetry
  }

  setAttributes(): void {}

  rename(): void {}

  fail(): void {}

  end(): void {}
}

/** Whether a trace is sampled in which a span or a caller is. */
export function isSampled(parent: Span | TraceContext): boolean {
  return 'context' in parent ? bridged(parent).isSampled : (parent.flags & sampledFlag) === sampledFlag
}

export function contextOf(parent: Span | TraceContext): TraceContext {
  return 'context' in parent ? parent.context : parent
}
