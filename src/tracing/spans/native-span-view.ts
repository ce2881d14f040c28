import { type OpenTelemetrySpan, type OpenTelemetrySpanContext, spanStatusCodes } from '../open-telemetry.ts'
import { acceptedAttributes, apiExceptionAttributes, type RecordedAttributes } from './attributes.ts'
import type { BridgedSpan } from './bridged-span.ts'
import { toSpanContext } from './span-context.ts'

/** The part of a native span that only OpenTelemetry's API writes to. Times are `TimeInput`s of the API. */
export interface ViewedSpan extends BridgedSpan {
  addAttributes(attributes: RecordedAttributes): void
  addEvent(name: string, attributes: RecordedAttributes, time?: unknown): void
  addLink(context: OpenTelemetrySpanContext, attributes?: RecordedAttributes): void
  setStatus(status: { readonly code: number; readonly message?: string }): void
  endAt(time: unknown): void
}

/** A link as the API passes it. */
interface GivenLink {
  readonly context: OpenTelemetrySpanContext
  readonly attributes?: unknown
}

/** Adds links to a span. Those without a span context are ignored: they would fail the export of other spans, too. */
export function addLinks(span: ViewedSpan, links: unknown): void {
  if (!Array.isArray(links)) return
  for (const link of links as readonly (Partial<GivenLink> | null | undefined)[]) {
    const context = link?.context
    if (typeof context?.traceId === 'string') span.addLink(context, acceptedAttributes(link?.attributes))
  }
}

/** A native span behind the `Span` interface of OpenTelemetry's API, for the application and its instrumentations. */
export class NativeSpanView implements OpenTelemetrySpan {
  readonly upkeepSpan: ViewedSpan
  #spanContext: OpenTelemetrySpanContext | undefined = undefined

  constructor(span: ViewedSpan) {
    this.upkeepSpan = span
  }

  spanContext(): OpenTelemetrySpanContext {
    this.#spanContext ??= toSpanContext(this.upkeepSpan.context, false)
    return this.#spanContext
  }

  setAttribute(key: string, value: unknown): this {
    this.upkeepSpan.addAttributes(acceptedAttributes({ [key]: value }))
    return this
  }

  setAttributes(attributes: unknown): this {
    this.upkeepSpan.addAttributes(acceptedAttributes(attributes))
    return this
  }

  addEvent(name: string, attributesOrTime?: unknown, time?: unknown): this {
    const isTime =
      typeof attributesOrTime !== 'object' || Array.isArray(attributesOrTime) || attributesOrTime instanceof Date
    const attributes = isTime ? {} : acceptedAttributes(attributesOrTime)
    this.upkeepSpan.addEvent(name, attributes, isTime ? (time ?? attributesOrTime) : time)
    return this
  }

  addLink(link: GivenLink): this {
    addLinks(this.upkeepSpan, [link])
    return this
  }

  addLinks(links: readonly GivenLink[]): this {
    addLinks(this.upkeepSpan, links)
    return this
  }

  setStatus({ code, message }: { readonly code: number; readonly message?: unknown }): this {
    const isDescribed = code === spanStatusCodes.error && typeof message === 'string'
    this.upkeepSpan.setStatus(isDescribed ? { code, message } : { code })
    return this
  }

  updateName(name: string): this {
    this.upkeepSpan.rename(name)
    return this
  }

  recordException(exception: unknown, time?: unknown): void {
    if (exception === undefined || exception === null) return
    this.upkeepSpan.addEvent('exception', apiExceptionAttributes(exception), time)
  }

  isRecording(): boolean {
    return this.upkeepSpan.isRecording
  }

  end(time?: unknown): void {
    if (time === undefined) this.upkeepSpan.end()
    else this.upkeepSpan.endAt(time)
  }
}
