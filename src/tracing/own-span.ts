import type { TraceIds } from '../ids/trace-ids.ts'
import { randomFlag, sampledFlag, type TraceContext } from '../ids/traceparent.ts'
import { exceptionAttributes, messageOf } from './exception.ts'
import type { OpenTelemetrySpan, OpenTelemetrySpanContext } from './open-telemetry.ts'
import { OwnSpanFacade, type TellingSpan } from './own-span-facade.ts'
import { toSpanContext } from './silent-span.ts'
import type { Attributes, AttributeValue, Span } from './span.ts'
import { type EndedSpan, type HighTime, highTime, type SpanEvent, type SpanRecorder } from './span-recorder.ts'
import { contextOf } from './unrecorded-span.ts'

/** As many as OpenTelemetry lets a span have, of attributes, of events and of links. */
const most = 128

/** `SpanStatusCode`. */
const unset = 0
const ok = 1
const failed = 2

const none: readonly never[] = []

/**
 * A recorded span that upkeep makes itself: what an SDK's costs is several times what a request may be charged. Its ids
 * are made when somebody asks for them, and most of what an exporter reads of it is put together then.
 */
export class OwnSpan implements TellingSpan, EndedSpan {
  name: string
  readonly kind: number
  status: { readonly code: number; readonly message?: string } = { code: unset }
  links: readonly { readonly context: OpenTelemetrySpanContext }[]
  events: readonly SpanEvent[] = none
  droppedEventsCount = 0
  droppedLinksCount = 0
  readonly #recorder: SpanRecorder
  readonly #ids: TraceIds
  readonly #parent: Span | TraceContext | undefined
  readonly #startedAt: number
  readonly #startedAtWall: number
  readonly #first: Attributes | undefined
  #later: Attributes | undefined = undefined
  #milliseconds = -1
  #context: TraceContext | undefined = undefined
  #spanContext: OpenTelemetrySpanContext | undefined = undefined
  #openTelemetry: OpenTelemetrySpan | undefined = undefined

  constructor(
    recorder: SpanRecorder,
    ids: TraceIds,
    name: string,
    kind: number,
    attributes: Attributes | undefined,
    parent: Span | TraceContext | undefined,
    links: readonly TraceContext[] = none,
  ) {
    this.#recorder = recorder
    this.#ids = ids
    this.name = name
    this.kind = kind
    this.#first = attributes
    this.#parent = parent
    this.links = links === none ? none : links.map((context) => ({ context: toSpanContext(context, true) }))
    this.#startedAt = recorder.now()
    this.#startedAtWall = recorder.wallTimeAt(this.#startedAt)
  }

  get context(): TraceContext {
    this.#context ??= this.#makeContext()
    return this.#context
  }

  #makeContext(): TraceContext {
    const spanId = this.#ids.spanId()
    if (this.#parent === undefined) return { traceId: this.#ids.traceId(), spanId, flags: randomFlag | sampledFlag }
    const { traceId, flags, tracestate } = contextOf(this.#parent)
    return tracestate === undefined ? { traceId, spanId, flags } : { traceId, spanId, flags, tracestate }
  }

  get isRecording(): boolean {
    return this.#milliseconds === -1
  }

  get openTelemetry(): OpenTelemetrySpan {
    this.#openTelemetry ??= new OwnSpanFacade(this)
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
  setStatus(status: { readonly code: number; readonly message?: string }): void {
    if (this.isRecording && status.code !== unset && this.status.code !== ok) this.status = status
  }

  addEvent(name: string, attributes: Attributes, time?: HighTime): void {
    if (!this.isRecording) return
    if (this.events.length >= most) {
      this.droppedEventsCount += 1
      return
    }
    const now = highTime(this.#startedAtWall + (this.#recorder.now() - this.#startedAt))
    this.events = [...this.events, { name, time: time ?? now, attributes: told(attributes), droppedAttributesCount: 0 }]
  }

  addLink(context: OpenTelemetrySpanContext): void {
    if (!this.isRecording) return
    if (this.links.length < most) this.links = [...this.links, { context }]
    else this.droppedLinksCount += 1
  }

  end(): void {
    if (!this.isRecording) return
    this.#milliseconds = Math.max(0, this.#recorder.now() - this.#startedAt)
    this.#recorder.take(this)
  }

  spanContext(): OpenTelemetrySpanContext {
    this.#spanContext ??= toSpanContext(this.context, false)
    return this.#spanContext
  }

  get parentSpanContext(): OpenTelemetrySpanContext | undefined {
    if (this.#parent === undefined) return undefined
    return toSpanContext(contextOf(this.#parent), !('context' in this.#parent))
  }

  get startTime(): HighTime {
    return highTime(this.#startedAtWall)
  }

  get endTime(): HighTime {
    return highTime(this.#startedAtWall + Math.max(0, this.#milliseconds))
  }

  get duration(): HighTime {
    return highTime(Math.max(0, this.#milliseconds))
  }

  get ended(): boolean {
    return !this.isRecording
  }

  get attributes(): Readonly<Record<string, AttributeValue>> {
    return told({ ...this.#first, ...this.#later })
  }

  get droppedAttributesCount(): number {
    const all = Object.values({ ...this.#first, ...this.#later }).filter((value) => value !== undefined)
    return Math.max(0, all.length - most)
  }

  get resource(): unknown {
    return this.#recorder.resource
  }

  get instrumentationScope(): { readonly name: string } {
    return this.#recorder.scope
  }
}

/** Attributes without those that have no value, and no more than there may be. */
function told(attributes: Attributes): Readonly<Record<string, AttributeValue>> {
  const entries = Object.entries(attributes).filter(
    (entry): entry is [string, AttributeValue] => entry[1] !== undefined,
  )
  return Object.fromEntries(entries.slice(0, most))
}
