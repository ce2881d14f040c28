import type { TraceIds } from '../../ids/trace-context/trace-ids.ts'
import { randomFlag, sampledFlag, type TraceContext } from '../../ids/trace-context/traceparent.ts'
import type { OpenTelemetrySpanContext, OpenTelemetryTraceState } from '../open-telemetry.ts'
import type { Span } from '../span.ts'
import { contextOf } from './non-recording-span.ts'
import { toSpanContext } from './remote-span.ts'

/**
 * Where a span is that upkeep makes itself. Its ids are made when somebody asks for them. To processors and exporters it is
 * itself its span context: what waits to be exported is copied by the garbage collector, so few objects are cheap.
 */
export class OwnSpanContext implements OpenTelemetrySpanContext {
  readonly #ids: TraceIds
  readonly #parent: Span | TraceContext | undefined
  #context: TraceContext | undefined = undefined

  constructor(ids: TraceIds, parent: Span | TraceContext | undefined) {
    this.#ids = ids
    this.#parent = parent
  }

  get context(): TraceContext {
    this.#context ??= this.#makeContext()
    return this.#context
  }

  #makeContext(): TraceContext {
    const spanId = this.#ids.spanId()
    const flags = this.traceFlags
    if (this.#parent === undefined) return { traceId: this.#ids.traceId(), spanId, flags }
    const { traceId, tracestate } = contextOf(this.#parent)
    return tracestate === undefined ? { traceId, spanId, flags } : { traceId, spanId, flags, tracestate }
  }

  get isSampled(): boolean {
    return (this.traceFlags & sampledFlag) === sampledFlag
  }

  spanContext(): OpenTelemetrySpanContext {
    return this
  }

  get parentSpanContext(): OpenTelemetrySpanContext | undefined {
    if (this.#parent === undefined) return undefined
    return toSpanContext(contextOf(this.#parent), !('context' in this.#parent))
  }

  get traceId(): string {
    return this.context.traceId
  }

  get spanId(): string {
    return this.context.spanId
  }

  get traceFlags(): number {
    return this.#parent === undefined ? randomFlag | sampledFlag : contextOf(this.#parent).flags
  }

  get traceState(): OpenTelemetryTraceState {
    // `undefined` where there is none, as an absent one would be: of a getter the type cannot say so.
    return toSpanContext(this.context, false).traceState as OpenTelemetryTraceState
  }

  get isRemote(): boolean {
    return false
  }
}
