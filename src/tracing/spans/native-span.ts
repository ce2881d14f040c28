import { randomFlag, sampledFlag, type TraceContext } from '../../ids/trace-context/traceparent.ts'
import {
  type OpenTelemetrySpan,
  type OpenTelemetrySpanContext,
  type OpenTelemetryTraceState,
  spanStatusCodes,
} from '../open-telemetry.ts'
import type { Attributes, AttributeValue, Span } from '../span.ts'
import {
  computeAttributes,
  countDropped,
  type DeferredAttributes,
  errorMessage,
  exceptionAttributes,
  limitAttributes,
} from './attributes.ts'
import { childContext, contextOf } from './bridged-span.ts'
import { NativeSpanView, type ViewedSpan } from './native-span-view.ts'
import { toSpanContext } from './span-context.ts'
import {
  type EndedSpan,
  type HrTime,
  type SpanEvent,
  type SpanLink,
  type SpanRecorder,
  type SpanStatus,
  toHrTime,
} from './span-recorder.ts'

/** OpenTelemetry's default limit of the events, and of the links, of a span. */
const maxItems = 128

/** The duration of a span that has not ended. */
const notEnded = -1

const noItems: readonly never[] = []
const unsetStatus: SpanStatus = { code: spanStatusCodes.unset }

/** The parts that few spans have: allocated on first use. */
interface Extras {
  status: SpanStatus
  readonly links: SpanLink[]
  readonly events: SpanEvent[]
  droppedEvents: number
  droppedLinks: number
}

/**
 * A span that upkeep records itself, at a fraction of the cost of an SDK's. Values that only an exporter reads are
 * computed when it reads them.
 *
 * It is also its own OpenTelemetry `SpanContext`: spans that wait for export are copied by the garbage collector, so
 * fewer objects per span make tracing cheaper.
 */
export class NativeSpan implements ViewedSpan, EndedSpan, OpenTelemetrySpanContext {
  name: string
  readonly kind: number
  readonly #recorder: SpanRecorder
  readonly #parent: Span | TraceContext | undefined
  readonly #initialAttributes: Attributes | DeferredAttributes | undefined
  #addedAttributes: Attributes | undefined = undefined
  #context: TraceContext | undefined = undefined
  #openTelemetry: OpenTelemetrySpan | undefined = undefined
  #extras: Extras | undefined = undefined
  /**
   * Milliseconds of monotonic time; from `end` on of wall time. One field, since a second number is a second
   * allocation.
   */
  #startedAt: number
  #milliseconds = notEnded

  constructor(
    recorder: SpanRecorder,
    name: string,
    kind: number,
    attributes: Attributes | DeferredAttributes | undefined,
    parent: Span | TraceContext | undefined,
    startedAt: number = recorder.now(),
  ) {
    this.name = name
    this.kind = kind
    this.#recorder = recorder
    this.#parent = parent
    this.#initialAttributes = attributes
    this.#startedAt = startedAt
  }

  get context(): TraceContext {
    this.#context ??= childContext(this.#parent, this.#recorder.ids, randomFlag | sampledFlag)
    return this.#context
  }

  get isSampled(): boolean {
    return (this.traceFlags & sampledFlag) === sampledFlag
  }

  get isRecording(): boolean {
    return this.#milliseconds === notEnded
  }

  get openTelemetry(): OpenTelemetrySpan {
    this.#openTelemetry ??= new NativeSpanView(this)
    return this.#openTelemetry
  }

  setAttributes(attributes: Attributes): void {
    if (!this.isRecording) return
    this.#addedAttributes =
      this.#addedAttributes === undefined ? attributes : { ...this.#addedAttributes, ...attributes }
  }

  rename(name: string): void {
    if (this.isRecording) this.name = name
  }

  fail(error: unknown): void {
    this.setStatus(
      error === undefined
        ? { code: spanStatusCodes.error }
        : { code: spanStatusCodes.error, message: errorMessage(error) },
    )
    if (error !== undefined) this.addEvent('exception', exceptionAttributes(error))
  }

  /** Sets the status; OK is final. */
  setStatus(status: SpanStatus): void {
    if (!this.isRecording || status.code === spanStatusCodes.unset || this.status.code === spanStatusCodes.ok) return
    this.#ensureExtras().status = status
  }

  addEvent(name: string, attributes: Attributes, time?: HrTime): void {
    if (!this.isRecording) return
    const now = toHrTime(this.#recorder.wallTimeAt(this.#recorder.now()))
    const event = { name, time: time ?? now, attributes: limitAttributes(attributes), droppedAttributesCount: 0 }
    const extras = this.#ensureExtras()
    if (extras.events.length < maxItems) extras.events.push(event)
    else extras.droppedEvents += 1
  }

  addLink(context: OpenTelemetrySpanContext): void {
    if (!this.isRecording) return
    const extras = this.#ensureExtras()
    if (extras.links.length < maxItems) extras.links.push({ context })
    else extras.droppedLinks += 1
  }

  #ensureExtras(): Extras {
    this.#extras ??= { status: unsetStatus, links: [], events: [], droppedEvents: 0, droppedLinks: 0 }
    return this.#extras
  }

  end(endedAt: number = this.#recorder.now()): void {
    if (!this.isRecording) return
    this.#milliseconds = Math.max(0, endedAt - this.#startedAt)
    this.#startedAt = this.#recorder.wallTimeAt(this.#startedAt)
    this.#recorder.onEnd(this)
  }

  // `SpanContext` of OpenTelemetry.

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
    // May be `undefined`, like a property that is absent; the type of a getter cannot express that.
    return toSpanContext(this.context, false).traceState as OpenTelemetryTraceState
  }

  get isRemote(): boolean {
    return false
  }

  // `ReadableSpan` of OpenTelemetry's SDK.

  spanContext(): OpenTelemetrySpanContext {
    return this
  }

  get parentSpanContext(): OpenTelemetrySpanContext | undefined {
    const parent = this.#parent
    return parent === undefined ? undefined : toSpanContext(contextOf(parent), !('context' in parent))
  }

  get startTime(): HrTime {
    return toHrTime(this.#startedAt)
  }

  get endTime(): HrTime {
    return toHrTime(this.#startedAt + Math.max(0, this.#milliseconds))
  }

  get duration(): HrTime {
    return toHrTime(Math.max(0, this.#milliseconds))
  }

  get ended(): boolean {
    return !this.isRecording
  }

  get status(): SpanStatus {
    return this.#extras?.status ?? unsetStatus
  }

  get links(): readonly SpanLink[] {
    return this.#extras?.links ?? noItems
  }

  get events(): readonly SpanEvent[] {
    return this.#extras?.events ?? noItems
  }

  get attributes(): Readonly<Record<string, AttributeValue>> {
    return limitAttributes(this.#allAttributes)
  }

  get droppedAttributesCount(): number {
    return countDropped(this.#allAttributes)
  }

  get #allAttributes(): Attributes {
    return { ...computeAttributes(this.#initialAttributes), ...this.#addedAttributes }
  }

  get droppedEventsCount(): number {
    return this.#extras?.droppedEvents ?? 0
  }

  get droppedLinksCount(): number {
    return this.#extras?.droppedLinks ?? 0
  }

  get resource(): unknown {
    return this.#recorder.resource
  }

  get instrumentationScope(): { readonly name: string; readonly version?: string } {
    return this.#recorder.scope
  }
}
