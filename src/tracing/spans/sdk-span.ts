import { randomFlag, sampledFlag, type TraceContext } from '../../ids/trace-context/traceparent.ts'
import { spanOfContext } from '../context/context.ts'
import {
  type OpenTelemetryContext,
  type OpenTelemetrySpan,
  spanKey,
  spanKinds,
  spanStatusCodes,
} from '../open-telemetry.ts'
import type { Attributes, Span } from '../span.ts'
import { exceptionAttributes } from './attributes.ts'
import type { BridgedSpan } from './bridged-span.ts'

/** A span of an OpenTelemetry SDK. Errors that its processors throw are ignored: tracing never fails the service. */
export class SdkSpan implements BridgedSpan {
  readonly openTelemetry: OpenTelemetrySpan
  readonly #parentFlags: number
  #context: TraceContext | undefined = undefined

  /** An SDK does not copy `randomFlag` of the parent, which applies as long as the trace id does. */
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
        this.openTelemetry.setStatus({ code: spanStatusCodes.error })
        return
      }
      const {
        'exception.type': name,
        'exception.message': message = 'unknown',
        'exception.stacktrace': stack,
      } = exceptionAttributes(error)
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      this.openTelemetry.recordException(error instanceof Error ? { name, code, message, stack } : message)
      this.openTelemetry.setStatus({ code: spanStatusCodes.error, message: String(message) })
    } catch {}
  }

  end(): void {
    try {
      this.openTelemetry.end()
    } catch {}
  }
}

/**
 * `RPCMetadata` of `@opentelemetry/core`: its HTTP instrumentation stores a request's span in it, and reads the route.
 */
interface RequestMetadata {
  readonly span?: OpenTelemetrySpan
  route?: string
}

/** The same for every copy of `@opentelemetry/core`. */
const metadataKey = Symbol.for('OpenTelemetry SDK Context Key RPC_METADATA')

/**
 * Returns the span that another instrumentation has started for the request whose context is `active`; `undefined` if
 * none has. Instrumentations of frameworks start child spans of it, one of which may be the active span.
 */
export function adoptServerSpan(active: OpenTelemetryContext | undefined): Span | undefined {
  if (active === undefined || spanOfContext(active) !== undefined) return undefined
  const metadata = active.getValue(metadataKey) as RequestMetadata | undefined
  if (metadata?.span !== undefined) return new AdoptedSpan(metadata.span, metadata)
  const span = active.getValue(spanKey) as OpenTelemetrySpan | undefined
  return span !== undefined && isServerSpan(span) ? new AdoptedSpan(span, undefined) : undefined
}

/** The kind of a non-recording span is unknown: unless it is remote, it is taken for a server span. */
function isServerSpan(span: OpenTelemetrySpan & { readonly kind?: number }): boolean {
  return span.kind === spanKinds.server || (!span.isRecording() && span.spanContext().isRemote !== true)
}

/** A span of another instrumentation: attributes are added while it is recording, but only its owner ends it. */
class AdoptedSpan extends SdkSpan {
  readonly #metadata: RequestMetadata | undefined

  constructor(span: OpenTelemetrySpan, metadata: RequestMetadata | undefined) {
    super(span, 0)
    this.#metadata = metadata
  }

  override rename(name: string): void {
    if (this.isRecording) super.rename(name)
  }

  /** Leaves `url.path` as the owner has set it. */
  override setAttributes({ 'url.path': _path, ...attributes }: Attributes): void {
    if (!this.isRecording) return
    const route = attributes['http.route']
    // The owner renames the span by this route when it ends it.
    if (this.#metadata !== undefined && typeof route === 'string') this.#metadata.route = route
    super.setAttributes(attributes)
  }

  override fail(error: unknown): void {
    if (this.isRecording) super.fail(error)
  }

  override end(): void {}
}
