import { kinds, type OpenTelemetryContext, type OpenTelemetrySpan, spanKey } from './open-telemetry.ts'
import { RecordedSpan } from './recorded-span.ts'
import { spanOfScope } from './scope.ts'
import type { Attributes, Span } from './span.ts'

/** The span that another instrumentation of the application's has made of the request in which `active` is. */
export function adoptedSpan(active: OpenTelemetryContext | undefined): Span | undefined {
  if (active === undefined || spanOfScope(active) !== undefined) return undefined
  const span = active.getValue(spanKey) as OpenTelemetrySpan | undefined
  return span !== undefined && isOfRequest(span) ? new AdoptedSpan(span, 0) : undefined
}

/** Of a span that is not recorded its kind is not known: it is a request's, unless it is only what a caller has sent. */
function isOfRequest(span: OpenTelemetrySpan & { readonly kind?: number }): boolean {
  return span.kind === kinds.server || (!span.isRecording() && span.spanContext().isRemote !== true)
}

/** It is added to as long as it goes on, and left to whom it belongs. */
class AdoptedSpan extends RecordedSpan {
  override rename(name: string): void {
    if (this.isRecording) super.rename(name)
  }

  override setAttributes(attributes: Attributes): void {
    if (this.isRecording) super.setAttributes(attributes)
  }

  override fail(error: unknown): void {
    if (this.isRecording) super.fail(error)
  }

  override end(): void {}
}
