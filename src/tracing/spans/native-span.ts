import { randomFlag, sampledFlag, type TraceContext } from '../../ids/trace-context/traceparent.ts'
import {
  type OpenTelemetryScope,
  type OpenTelemetrySpan,
  type OpenTelemetrySpanContext,
  type OpenTelemetryTraceState,
  spanStatusCodes,
} from '../open-telemetry.ts'
import type { Attributes, Span } from '../span.ts'
import {
  type AddAttribute,
  countDropped,
  type DeferredAttributes,
  exceptionAttributes,
  forEachAttribute,
  joinAttributes,
  limitAttributes,
  type RecordedAttributes,
  type RecordedValue,
} from './attributes.ts'
import { childContext, contextOf } from './bridged-span.ts'
import { NativeSpanView, type ViewedSpan } from './native-span-view.ts'
import { toSpanContext } from './span-context.ts'
import { failedStatus, noItems, SpanExtras, unsetStatus } from './span-extras.ts'
import type { EndedSpan, SpanEvent, SpanLink, SpanRecorder, SpanStatus } from './span-recorder.ts'
import { type HrTime, parseTime, secondsBetween, toHrTime } from './span-times.ts'

/** The duration of a span that has not ended. */
const notEnded = -1

/**
 * A span that upkeep records itself, at a fraction of the cost of an SDK's. Values that only an exporter reads are
 * computed when it reads them. It is also its own OpenTelemetry `SpanContext`: spans that wait for export are copied by
 * the garbage collector, so fewer objects per span make tracing cheaper.
 */
export class NativeSpan implements ViewedSpan, EndedSpan, OpenTelemetrySpanContext {
  name: string
  readonly kind: number
  readonly #recorder: SpanRecorder
  readonly #parent: Span | TraceContext | undefined
  readonly initialAttributes: RecordedAttributes | DeferredAttributes | undefined
  #addedAttributes: RecordedAttributes | undefined = undefined
  #context: TraceContext | undefined = undefined
  #openTelemetry: OpenTelemetrySpan | undefined = undefined
  #extras: SpanExtras | undefined = undefined
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
    attributes: RecordedAttributes | DeferredAttributes | undefined,
    parent: Span | TraceContext | undefined,
    startedAt: number = recorder.now(),
  ) {
    this.name = name
    this.kind = kind
    this.#recorder = recorder
    this.#parent = parent
    this.initialAttributes = attributes
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

  addAttributes(attributes: RecordedAttributes): void {
    if (!this.isRecording) return
    const all = { ...this.#addedAttributes, ...attributes }
    const dropped = countDropped(all)
    if (dropped > 0) this.#ensureExtras().droppedAttributes += dropped
    this.#addedAttributes = dropped > 0 ? limitAttributes(all) : all
  }

  rename(name: string): void {
    if (this.isRecording) this.name = name
  }

  fail(error: unknown): void {
    this.setStatus(failedStatus(error))
    if (error !== undefined) this.addEvent('exception', exceptionAttributes(error))
  }

  /** Sets the status; OK is final. */
  setStatus(status: SpanStatus): void {
    if (!this.isRecording || status.code === spanStatusCodes.unset || this.status.code === spanStatusCodes.ok) return
    this.#ensureExtras().status = status
  }

  addEvent(name: string, attributes: RecordedAttributes, at?: unknown): void {
    if (!this.isRecording) return
    const time = parseTime(at, this.#recorder) ?? toHrTime(this.#recorder.wallTimeAt(this.#recorder.now()))
    this.#ensureExtras().addEvent(name, attributes, time)
  }

  addLink(context: OpenTelemetrySpanContext, attributes: RecordedAttributes = {}): void {
    if (this.isRecording) this.#ensureExtras().addLink(context, attributes)
  }

  /** Replaces the start time; a value that is not a time of OpenTelemetry's API is ignored. */
  startAt(time: unknown): void {
    this.#ensureExtras().startTime = parseTime(time, this.#recorder)
  }

  /** Ends the span at a time of OpenTelemetry's API; now, if it is not one. */
  endAt(time: unknown): void {
    if (!this.isRecording) return
    this.#ensureExtras().endTime = parseTime(time, this.#recorder)
    this.end()
  }

  #ensureExtras(): SpanExtras {
    this.#extras ??= new SpanExtras()
    return this.#extras
  }

  end(endedAt: number = this.#recorder.now()): void {
    if (!this.isRecording) return
    this.#milliseconds = Math.max(0, endedAt - this.#startedAt)
    this.#startedAt = this.#recorder.wallTimeAt(this.#startedAt)
    this.pass()
  }

  /** Passes the ended span on. */
  protected pass(): void {
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
    return this.#extras?.startTime ?? toHrTime(this.#startedAt)
  }

  get endTime(): HrTime {
    const end = this.#extras?.endTime ?? toHrTime(this.#startedAt + Math.max(0, this.#milliseconds))
    return this.#extras !== undefined && secondsBetween(this.startTime, end)[0] < 0 ? this.startTime : end
  }

  get duration(): HrTime {
    const isMeasured = this.#extras?.startTime === undefined && this.#extras?.endTime === undefined
    return isMeasured ? toHrTime(Math.max(0, this.#milliseconds)) : secondsBetween(this.startTime, this.endTime)
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

  get attributes(): Readonly<Record<string, RecordedValue>> {
    return limitAttributes(this.#allAttributes)
  }

  forEachAttribute(add: AddAttribute): void {
    forEachAttribute(this.initialAttributes, this.#addedAttributes, add)
  }

  get droppedAttributesCount(): number {
    return countDropped(this.#allAttributes) + (this.#extras?.droppedAttributes ?? 0)
  }

  get #allAttributes(): RecordedAttributes {
    return joinAttributes(this.initialAttributes, this.#addedAttributes)
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

  get instrumentationScope(): OpenTelemetryScope {
    return this.#recorder.scope
  }
}
