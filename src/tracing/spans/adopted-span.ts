import { spanOfContext } from '../context/context.ts'
import { type OpenTelemetryContext, type OpenTelemetrySpan, spanKey, spanKinds } from '../open-telemetry.ts'
import type { Attributes, Span } from '../span.ts'
import { SdkSpan } from './sdk-span.ts'

/** `RPCMetadata` of `@opentelemetry/core`: where its HTTP instrumentation keeps the span of a request, and looks for the route. */
interface RequestMetadata {
  readonly span?: OpenTelemetrySpan
  route?: string
}

/** The same for every copy of `@opentelemetry/core`. */
const metadataKey = Symbol.for('OpenTelemetry SDK Context Key RPC_METADATA')

/**
 * Returns the span that another instrumentation has made of the request in whose context `active` is; `undefined` if none has.
 * Instrumentations of frameworks make spans of their own below it, of which one may be the active one.
 */
export function adoptedSpan(active: OpenTelemetryContext | undefined): Span | undefined {
  if (active === undefined || spanOfContext(active) !== undefined) return undefined
  const metadata = active.getValue(metadataKey) as RequestMetadata | undefined
  if (metadata?.span !== undefined) return new AdoptedSpan(metadata.span, metadata)
  const span = active.getValue(spanKey) as OpenTelemetrySpan | undefined
  return span !== undefined && isOfRequest(span) ? new AdoptedSpan(span, undefined) : undefined
}

/** Of a span that is not recorded its kind is not known: it is a request's, unless it is only what a caller has sent. */
function isOfRequest(span: OpenTelemetrySpan & { readonly kind?: number }): boolean {
  return span.kind === spanKinds.server || (!span.isRecording() && span.spanContext().isRemote !== true)
}

/** It is added to as long as it goes on, and left to whom it belongs. */
class AdoptedSpan extends SdkSpan {
  readonly #metadata: RequestMetadata | undefined

  constructor(span: OpenTelemetrySpan, metadata: RequestMetadata | undefined) {
    super(span, 0)
    this.#metadata = metadata
  }

  override rename(name: string): void {
    if (this.isRecording) super.rename(name)
  }

  /** What it says of the path, its own instrumentation decides. */
  override setAttributes({ 'url.path': _path, ...attributes }: Attributes): void {
    if (!this.isRecording) return
    const route = attributes['http.route']
    // Its instrumentation names it by this when it ends it.
    if (this.#metadata !== undefined && typeof route === 'string') this.#metadata.route = route
    super.setAttributes(attributes)
  }

  override fail(error: unknown): void {
    if (this.isRecording) super.fail(error)
  }

  override end(): void {}
}
