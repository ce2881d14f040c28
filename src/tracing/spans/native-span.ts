import type { TraceContext } from '../../ids/trace-context/traceparent.ts'
import type { OpenTelemetrySpan, OpenTelemetrySpanContext } from '../open-telemetry.ts'
import type { Attributes, AttributeValue, Span } from '../span.ts'
import { computeAttributes, type DeferredAttributes } from './attributes.ts'
import { exceptionAttributes, messageOf } from './exception.ts'
import { NativeSpanView, type TellingSpan } from './native-span-view.ts'
import { OwnSpanContext } from './own-span-context.ts'
import { createRarities, type Rarities, type SpanStatus } from './span-rarities.ts'
import { type EndedSpan, type HrTime, type SpanEvent, type SpanRecorder, toHrTime } from './span-recorder.ts'
import { countDropped, limitAttributes } from './told-attributes.ts'

/** As many as OpenTelemetry lets a span have, of events and of links. */
const most = 128

/** `SpanStatusCode`. */
const unset = 0
const ok = 1
const failed = 2

/** The duration of a span that has not ended. */
const going = -1

const none: readonly never[] = []
const notTold: SpanStatus = { code: unset }

/**
 * A recorded span that upkeep makes itself: what an SDK's costs is several times what a request may be charged. Most of what
 * an exporter reads of it is put together then.
 */
export class NativeSpan extends OwnSpanContext implements TellingSpan, EndedSpan {
  name: string
  readonly kind: number
  readonly #recorder: SpanRecorder
  /** Milliseconds of monotonic time; of wall time once it has ended, so that its start and its end are by one clock. */
  #startedAt: number
  readonly #first: Attributes | DeferredAttributes | undefined
  #later: Attributes | undefined = undefined
  #rarities: Rarities | undefined = undefined
  #milliseconds = going
  #openTelemetry: OpenTelemetrySpan | undefined = undefined

  constructor(
    recorder: SpanRecorder,
    name: string,
    kind: number,
    attributes: Attributes | DeferredAttributes | undefined,
    parent: Span | TraceContext | undefined,
    startedAt: number = recorder.now(),
  ) {
    super(recorder.ids, parent)
    this.name = name
    this.kind = kind
    this.#recorder = recorder
    this.#first = attributes
    this.#startedAt = startedAt
  }

  get isRecording(): boolean {
    return this.#milliseconds === going
  }

  get openTelemetry(): OpenTelemetrySpan {
    this.#openTelemetry ??= new NativeSpanView(this)
    return this.#openTelemetry
  }

  setAttributes(attributes: Attributes): void {
    if (!this.isRecording) return
    this.#later = this.#later === undefined ? attributes : { ...this.#later, ...attributes }
  }

  rename(name: string): void {
    if (this.isRecording) this.name = name
  }

  fail(error: unknown): void {
    this.setStatus(error === undefined ? { code: failed } : { code: failed, message: messageOf(error) })
    if (error !== undefined) this.addEvent('exception', exceptionAttributes(error))
  }

  /** One that is OK stays so. */
  setStatus(status: SpanStatus): void {
    if (this.isRecording && status.code !== unset && this.status.code !== ok) this.#rare.status = status
  }

  addEvent(name: string, attributes: Attributes, time?: HrTime): void {
    if (!this.isRecording) return
    const now = toHrTime(this.#recorder.wallTimeAt(this.#recorder.now()))
    const event = { name, time: time ?? now, attributes: limitAttributes(attributes), droppedAttributesCount: 0 }
    if (this.events.length < most) this.#rare.events.push(event)
    else this.#rare.droppedEvents += 1
  }

  addLink(context: OpenTelemetrySpanContext): void {
    if (!this.isRecording) return
    if (this.links.length < most) this.#rare.links.push({ context })
    else this.#rare.droppedLinks += 1
  }

  end(endedAt: number = this.#recorder.now()): void {
    if (!this.isRecording) return
    this.#milliseconds = Math.max(0, endedAt - this.#startedAt)
    this.#startedAt = this.#recorder.wallTimeAt(this.#startedAt)
    this.#recorder.onEnd(this)
  }

  get #rare(): Rarities {
    this.#rarities ??= createRarities()
    return this.#rarities
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
    return this.#rarities?.status ?? notTold
  }

  get links(): readonly { readonly context: OpenTelemetrySpanContext }[] {
    return this.#rarities?.links ?? none
  }

  get events(): readonly SpanEvent[] {
    return this.#rarities?.events ?? none
  }

  get attributes(): Readonly<Record<string, AttributeValue>> {
    return limitAttributes(this.#all)
  }

  get droppedAttributesCount(): number {
    return countDropped(this.#all)
  }

  get #all(): Attributes {
    return { ...computeAttributes(this.#first), ...this.#later }
  }

  get droppedEventsCount(): number {
    return this.#rarities?.droppedEvents ?? 0
  }

  get droppedLinksCount(): number {
    return this.#rarities?.droppedLinks ?? 0
  }

  get resource(): unknown {
    return this.#recorder.resource
  }

  get instrumentationScope(): { readonly name: string; readonly version?: string } {
    return this.#recorder.scope
  }
}
