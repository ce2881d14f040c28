import type { Clock } from '../../base/clock.ts'
import { packageVersion } from '../../base/package-version.ts'
import type { TraceIds } from '../../ids/trace-context/trace-ids.ts'
import type { OpenTelemetryScope, OpenTelemetrySpanContext } from '../open-telemetry.ts'
import type { AddAttribute, RecordedAttributes, RecordedValue } from './attributes.ts'
import type { HrTime } from './span-times.ts'

export interface SpanStatus {
  readonly code: number
  readonly message?: string
}

export interface SpanLink {
  readonly context: OpenTelemetrySpanContext
  readonly attributes?: Readonly<Record<string, RecordedValue>>
  readonly droppedAttributesCount?: number
}

export interface SpanEvent {
  readonly name: string
  readonly time: HrTime
  readonly attributes: RecordedAttributes
  readonly droppedAttributesCount: number
}

/** A span that has ended, as OpenTelemetry's processors and exporters read it: `ReadableSpan`, matched by shape. */
export interface EndedSpan {
  readonly name: string
  readonly kind: number
  spanContext(): OpenTelemetrySpanContext
  readonly parentSpanContext: OpenTelemetrySpanContext | undefined
  readonly startTime: HrTime
  readonly endTime: HrTime
  readonly duration: HrTime
  readonly ended: boolean
  readonly status: SpanStatus
  readonly attributes: Readonly<Record<string, RecordedValue>>
  /** Passes each of the attributes, at less cost. Not a part of OpenTelemetry's spans. */
  readonly forEachAttribute?: (add: AddAttribute) => void
  readonly links: readonly SpanLink[]
  readonly events: readonly SpanEvent[]
  readonly resource: unknown
  readonly instrumentationScope: OpenTelemetryScope
  readonly droppedAttributesCount: number
  readonly droppedEventsCount: number
  readonly droppedLinksCount: number
}

export interface SpanRecorderOptions {
  /** OpenTelemetry's `SpanProcessor`. Only the end of a native span is reported to it. */
  readonly processor: { onEnd(span: never): void }
  /** OpenTelemetry's `Resource` of the spans. */
  readonly resource: unknown
}

/** The instrumentation scope of what upkeep records itself. */
export const upkeepScope: { readonly name: string; readonly version: string } = {
  name: 'upkeep',
  version: packageVersion,
}

/** Receives spans that have ended, synchronously, so it should store them and return. */
type SpanSink = (span: EndedSpan) => void

/** State of the whole process, as tracing is, and shared by all copies of this package. */
interface SinkCell {
  /** `undefined` without a sink, so that a span costs one check. */
  sinks: readonly SpanSink[] | undefined
}

const key = Symbol.for('upkeep.spans')

const shared = globalThis as typeof globalThis & { [key]?: SinkCell }
shared[key] ??= { sinks: undefined }

/** The sinks of this process. */
const spanCell: SinkCell = shared[key]

/** Calls a sink with each span that upkeep records and that ends from now on. Returns a function that removes it. */
export function addSpanSink(sink: SpanSink): () => void {
  spanCell.sinks = [...(spanCell.sinks ?? []), sink]
  return () => {
    const others = spanCell.sinks?.filter((each) => each !== sink) ?? []
    spanCell.sinks = others.length === 0 ? undefined : others
  }
}

/** How long wall time is derived from monotonic time: an adjustment of the system clock shows after that. */
const anchorMilliseconds = 1_000

/** A wall time and the monotonic time of the same moment, shared by all scopes: children never start before parents. */
interface Anchor {
  wallTime: number
  monotonicTime: number
}

/** Passes ended native spans to a processor, and provides their ids and times. */
export class SpanRecorder {
  readonly resource: unknown
  readonly scope: OpenTelemetryScope
  readonly ids: TraceIds
  readonly clock: Clock
  readonly #processor: { onEnd(span: EndedSpan): void }
  readonly #anchor: Anchor
  readonly #scoped = new WeakMap<OpenTelemetryScope, SpanRecorder>()

  constructor(
    { processor, resource }: SpanRecorderOptions,
    ids: TraceIds,
    clock: Clock,
    scope: OpenTelemetryScope = upkeepScope,
    anchor: Anchor = { wallTime: Number.NEGATIVE_INFINITY, monotonicTime: Number.NEGATIVE_INFINITY },
  ) {
    // Safe: EndedSpan has the shape of the official ReadableSpan, which a type test asserts.
    this.#processor = processor as { onEnd(span: EndedSpan): void }
    this.resource = resource
    this.scope = scope
    this.ids = ids
    this.clock = clock
    this.#anchor = anchor
  }

  /** Returns the recorder of spans of another scope, the same for the same object. */
  in(scope: OpenTelemetryScope): SpanRecorder {
    const known = this.#scoped.get(scope)
    if (known !== undefined) return known
    const options = { processor: this.#processor, resource: this.resource }
    const scoped = new SpanRecorder(options, this.ids, this.clock, scope, this.#anchor)
    this.#scoped.set(scope, scoped)
    return scoped
  }

  /** Returns milliseconds of monotonic time. */
  now(): number {
    return this.clock.monotonicTime()
  }

  /** Converts a recent monotonic time to wall time; both in milliseconds, with a fraction. */
  wallTimeAt(monotonicTime: number): number {
    const anchor = this.#anchor
    if (monotonicTime - anchor.monotonicTime > anchorMilliseconds) {
      anchor.monotonicTime = this.clock.monotonicTime()
      anchor.wallTime = this.clock.wallTime()
    }
    return anchor.wallTime + (monotonicTime - anchor.monotonicTime)
  }

  /** Called when a span ends. Errors of the processor are ignored. */
  onEnd(span: EndedSpan): void {
    try {
      this.#processor.onEnd(span)
    } catch {}
    const { sinks } = spanCell
    if (sinks !== undefined) for (const sink of sinks) sink(span)
  }
}
