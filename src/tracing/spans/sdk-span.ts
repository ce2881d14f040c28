import { randomFlag, sampledFlag, type TraceContext } from '../../ids/trace-context/traceparent.ts'
import type { BridgedSpan } from '../context/context.ts'
import type { OpenTelemetrySpan } from '../open-telemetry.ts'
import type { Attributes } from '../span.ts'
import { exceptionAttributes } from './exception.ts'

/** `SpanStatusCode.ERROR`. */
const errorStatus = 2

/** A span of OpenTelemetry's. Whatever its processors throw stays here: tracing never fails the service. */
export class SdkSpan implements BridgedSpan {
  readonly openTelemetry: OpenTelemetrySpan
  readonly #parentFlags: number
  #context: TraceContext | undefined = undefined

  /** An SDK forgets `randomFlag` of the parent, which has to stay as long as the trace id does. */
  constructor(openTelemetry: OpenTelemetrySpan, parentFlags: number) {
    this.openTelemetry = openTelemetry
    this.#parentFlags = parentFlags & randomFlag
  }

  get context(): TraceContext {
    this.#context ??= this.#readContext()
    return this.#context
  }

  #readContext(): TraceContext {
    const { traceId, spanId, traceFlags, traceState } = this.openTelemetry.spanContext()
    const flags = traceFlags | this.#parentFlags
    const tracestate = traceState?.serialize() || undefined
    return tracestate === undefined ? { traceId, spanId, flags } : { traceId, spanId, flags, tracestate }
  }

  get isSampled(): boolean {
    return (this.context.flags & sampledFlag) === sampledFlag
  }

  get isRecording(): boolean {
    return this.openTelemetry.isRecording()
  }

  setAttributes(attributes: Attributes): void {
    try {
      this.openTelemetry.setAttributes(attributes)
    } catch {}
  }

  rename(name: string): void {
    try {
      this.openTelemetry.updateName(name)
    } catch {}
  }

  fail(error: unknown): void {
    try {
      if (error === undefined) {
        this.openTelemetry.setStatus({ code: errorStatus })
        return
      }
      const {
        'exception.type': name,
        'exception.message': message = 'unknown',
        'exception.stacktrace': stack,
      } = exceptionAttributes(error)
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      this.openTelemetry.recordException(error instanceof Error ? { name, code, message, stack } : message)
      this.openTelemetry.setStatus({ code: errorStatus, message: String(message) })
    } catch {}
  }

  end(): void {
    try {
      this.openTelemetry.end()
    } catch {}
  }
}
