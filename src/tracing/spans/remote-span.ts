import type { TraceContext } from '../../ids/trace-context/traceparent.ts'
import { formatTracestate, parseTracestate, type TracestateMember } from '../../ids/trace-context/tracestate.ts'
import type { BridgedSpan } from '../context/context.ts'
import type { OpenTelemetrySpan, OpenTelemetrySpanContext, OpenTelemetryTraceState } from '../open-telemetry.ts'

/** A span of which OpenTelemetry learns only where it is: one of another process, or one that is not recorded. */
export class SilentSpan implements OpenTelemetrySpan {
  /** What it stands for. */
  readonly of: BridgedSpan | TraceContext
  #spanContext: OpenTelemetrySpanContext | undefined = undefined

  constructor(of: BridgedSpan | TraceContext) {
    this.of = of
  }

  spanContext(): OpenTelemetrySpanContext {
    this.#spanContext ??= 'context' in this.of ? toSpanContext(this.of.context, false) : toSpanContext(this.of, true)
    return this.#spanContext
  }

  setAttribute(): this {
    return this
  }

  setAttributes(): this {
    return this
  }

  addEvent(): this {
    return this
  }

  addLink(): this {
    return this
  }

  addLinks(): this {
    return this
  }

  setStatus(): this {
    return this
  }

  updateName(): this {
    return this
  }

  recordException(): void {}

  isRecording(): boolean {
    return false
  }

  end(): void {}
}

export function toSpanContext(context: TraceContext, isRemote: boolean): OpenTelemetrySpanContext {
  const { traceId, spanId, flags, tracestate } = context
  return tracestate === undefined
    ? { traceId, spanId, traceFlags: flags, isRemote }
    : { traceId, spanId, traceFlags: flags, isRemote, traceState: new TraceState(parseTracestate(tracestate) ?? []) }
}

class TraceState implements OpenTelemetryTraceState {
  readonly #members: readonly TracestateMember[]

  constructor(members: readonly TracestateMember[]) {
    this.#members = members
  }

  get(key: string): string | undefined {
    return this.#members.find((member) => member.key === key)?.value
  }

  set(key: string, value: string): OpenTelemetryTraceState {
    return new TraceState([{ key, value }, ...this.#without(key)].slice(0, 32))
  }

  unset(key: string): OpenTelemetryTraceState {
    return new TraceState(this.#without(key))
  }

  serialize(): string {
    try {
      return formatTracestate(this.#members)
    } catch {
      // A member that an SDK has set against the grammar must not cost the request.
      return ''
    }
  }

  #without(key: string): readonly TracestateMember[] {
    return this.#members.filter((member) => member.key !== key)
  }
}
