import type { OpenTelemetrySpan, OpenTelemetrySpanContext } from '../open-telemetry.ts'
import type { Attributes, AttributeValue } from '../span.ts'
import { exceptionAttributes } from './attributes.ts'
import type { BridgedSpan } from './bridged-span.ts'
import { toSpanContext } from './span-context.ts'
import type { HrTime } from './span-recorder.ts'

/** The part of a native span that only OpenTelemetry's API writes to. */
export interface ViewedSpan extends BridgedSpan {
  addEvent(name: string, attributes: Attributes, time?: HrTime): void
  addLink(context: OpenTelemetrySpanContext): void
  setStatus(status: { readonly code: number; readonly message?: string }): void
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

  setAttribute(key: string, value: AttributeValue): this {
    this.upkeepSpan.setAttributes({ [key]: value })
    return this
  }

  setAttributes(attributes: Attributes): this {
    this.upkeepSpan.setAttributes({ ...attributes })
    return this
  }

  addEvent(name: string, attributesOrTime?: unknown, time?: unknown): this {
    const isTime =
      typeof attributesOrTime !== 'object' || Array.isArray(attributesOrTime) || attributesOrTime instanceof Date
    const attributes = isTime ? {} : (attributesOrTime as Attributes)
    this.upkeepSpan.addEvent(name, attributes, parseTime(isTime ? attributesOrTime : time))
    return this
  }

  addLink(link: { readonly context: OpenTelemetrySpanContext }): this {
    this.upkeepSpan.addLink(link.context)
    return this
  }

  addLinks(links: readonly { readonly context: OpenTelemetrySpanContext }[]): this {
    for (const { context } of links) this.upkeepSpan.addLink(context)
    return this
  }

  setStatus(status: { readonly code: number; readonly message?: string }): this {
    this.upkeepSpan.setStatus(status)
    return this
  }

  updateName(name: string): this {
    this.upkeepSpan.rename(name)
    return this
  }

  recordException(exception: unknown, time?: unknown): void {
    this.upkeepSpan.addEvent('exception', exceptionAttributes(exception), parseTime(time))
  }

  isRecording(): boolean {
    return this.upkeepSpan.isRecording
  }

  end(): void {
    this.upkeepSpan.end()
  }
}

/** Smaller numbers are times of `performance.now()`. */
const minEpochMilliseconds = 1e11

/**
 * Parses a `TimeInput` of OpenTelemetry's; returns `undefined`, which stands for now, unless it is a wall-clock time.
 */
function parseTime(time: unknown): HrTime | undefined {
  if (Array.isArray(time)) return [Number(time[0]), Number(time[1])]
  const milliseconds = time instanceof Date ? time.getTime() : time
  if (typeof milliseconds !== 'number' || milliseconds < minEpochMilliseconds) return undefined
  return [Math.floor(milliseconds / 1_000), Math.round((milliseconds % 1_000) * 1e6)]
}
