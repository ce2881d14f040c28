import type { BridgedSpan } from '../context/context.ts'
import type { OpenTelemetrySpan, OpenTelemetrySpanContext } from '../open-telemetry.ts'
import type { Attributes, AttributeValue } from '../span.ts'
import { exceptionAttributes } from './exception.ts'
import { toSpanContext } from './remote-span.ts'
import type { HrTime } from './span-recorder.ts'

/** A span as far as OpenTelemetry's API can tell of it more than ours. */
export interface TellingSpan extends BridgedSpan {
  addEvent(name: string, attributes: Attributes, time?: HrTime): void
  addLink(context: OpenTelemetrySpanContext): void
  setStatus(status: { readonly code: number; readonly message?: string }): void
}

/** A span of upkeep's as OpenTelemetry's API has it: for what the application, or an instrumentation, tells of it. */
export class NativeSpanView implements OpenTelemetrySpan {
  /** What it stands for. */
  readonly of: TellingSpan
  #spanContext: OpenTelemetrySpanContext | undefined = undefined

  constructor(of: TellingSpan) {
    this.of = of
  }

  spanContext(): OpenTelemetrySpanContext {
    this.#spanContext ??= toSpanContext(this.of.context, false)
    return this.#spanContext
  }

  setAttribute(key: string, value: AttributeValue): this {
    this.of.setAttributes({ [key]: value })
    return this
  }

  setAttributes(attributes: Attributes): this {
    this.of.setAttributes({ ...attributes })
    return this
  }

  addEvent(name: string, attributesOrTime?: unknown, time?: unknown): this {
    const isTime =
      typeof attributesOrTime !== 'object' || Array.isArray(attributesOrTime) || attributesOrTime instanceof Date
    this.of.addEvent(name, isTime ? {} : (attributesOrTime as Attributes), timeOf(isTime ? attributesOrTime : time))
    return this
  }

  addLink(link: { readonly context: OpenTelemetrySpanContext }): this {
    this.of.addLink(link.context)
    return this
  }

  addLinks(links: readonly { readonly context: OpenTelemetrySpanContext }[]): this {
    for (const { context } of links) this.of.addLink(context)
    return this
  }

  setStatus(status: { readonly code: number; readonly message?: string }): this {
    this.of.setStatus(status)
    return this
  }

  updateName(name: string): this {
    this.of.rename(name)
    return this
  }

  recordException(exception: unknown, time?: unknown): void {
    this.of.addEvent('exception', exceptionAttributes(exception), timeOf(time))
  }

  isRecording(): boolean {
    return this.of.isRecording
  }

  end(): void {
    this.of.end()
  }
}

/** `TimeInput` of OpenTelemetry's, as far as it is wall time; anything else is now. */
function timeOf(time: unknown): HrTime | undefined {
  if (Array.isArray(time)) return [Number(time[0]), Number(time[1])]
  const milliseconds = time instanceof Date ? time.getTime() : time
  // What is smaller is a time of `performance.now()`.
  if (typeof milliseconds !== 'number' || milliseconds < 1e11) return undefined
  return [Math.floor(milliseconds / 1_000), Math.round((milliseconds % 1_000) * 1e6)]
}
