import type { TraceContext } from '../../ids/trace-context/traceparent.ts'
import type { OpenTelemetrySpan, OpenTelemetrySpanContext } from '../open-telemetry.ts'
import { toSpanContext } from './span-context.ts'

/** An OpenTelemetry span of which only the context can be read; it records nothing. */
export abstract class ContextOnlySpan implements OpenTelemetrySpan {
  #spanContext: OpenTelemetrySpanContext | undefined = undefined

  spanContext(): OpenTelemetrySpanContext {
    this.#spanContext ??= this.makeSpanContext()
    return this.#spanContext
  }

  /** Called once, on the first read. */
  protected abstract makeSpanContext(): OpenTelemetrySpanContext

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

/** The span of a caller in another process, as the parent of a span that an SDK starts. */
export class RemoteSpan extends ContextOnlySpan {
  readonly #context: TraceContext

  constructor(context: TraceContext) {
    super()
    this.#context = context
  }

  protected makeSpanContext(): OpenTelemetrySpanContext {
    return toSpanContext(this.#context, true)
  }
}

const invalidContext: OpenTelemetrySpanContext = { traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 }

/** The span that OpenTelemetry's API starts while tracing is suppressed: it has no valid context. */
class InvalidSpan extends ContextOnlySpan {
  protected makeSpanContext(): OpenTelemetrySpanContext {
    return invalidContext
  }
}

export const invalidSpan: OpenTelemetrySpan = /* @__PURE__ */ new InvalidSpan()
