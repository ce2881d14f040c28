import type { Clock } from '../../base/clock.ts'
import { packageVersion } from '../../base/package-version.ts'
import type { TraceIds } from '../../ids/trace-context/trace-ids.ts'
import type { OpenTelemetrySpanContext } from '../open-telemetry.ts'
import type { Attributes, AttributeValue } from '../span.ts'

/** OpenTelemetry's `HrTime`: seconds and nanoseconds since 1970. */
export type HrTime = [seconds: number, nanoseconds: number]

export interface SpanStatus {
  readonly code: number
  readonly message?: string
}

export interface SpanLink {
  readonly context: OpenTelemetrySpanContext
}

export interface SpanEvent {
  readonly name: string
  readonly time: HrTime
  readonly attributes: Attributes
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
  readonly attributes: Readonly<Record<string, AttributeValue>>
  readonly links: readonly SpanLink[]
  readonly events: readonly SpanEvent[]
  readonly resource: unknown
  readonly instrumentationScope: { readonly name: string; readonly version?: string }
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

/** How long wall time is derived from monotonic time: an adjustment of the system clock shows after that. */
const anchorMilliseconds = 1_000

/** Passes ended native spans to a processor, and provides their ids and times. */
export class SpanRecorder {
  readonly resource: unknown
  readonly scope: { readonly name: string; readonly version?: string } = upkeepScope
  readonly ids: TraceIds
  readonly clock: Clock
  readonly #processor: { onEnd(span: EndedSpan): void }
  #wallTime = Number.NEGATIVE_INFINITY
  #monotonicTime = Number.NEGATIVE_INFINITY

  constructor({ processor, resource }: SpanRecorderOptions, ids: TraceIds, clock: Clock) {
    // Safe: EndedSpan has the shape of the official ReadableSpan, which a type test asserts.
    this.#processor = processor as { onEnd(span: EndedSpan): void }
    this.resource = resource
    this.ids = ids
    this.clock = clock
  }

  /** Returns milliseconds of monotonic time. */
  now(): number {
    return this.clock.monotonicTime()
  }

  /** Converts a recent monotonic time to wall time; both in milliseconds, with a fraction. */
  wallTimeAt(monotonicTime: number): number {
    if (monotonicTime - this.#monotonicTime > anchorMilliseconds) {
      this.#monotonicTime = this.clock.monotonicTime()
      this.#wallTime = this.clock.wallTime()
    }
    return this.#wallTime + (monotonicTime - this.#monotonicTime)
  }

  /** Called when a span ends. Errors of the processor are ignored. */
  onEnd(span: EndedSpan): void {
    try {
      this.#processor.onEnd(span)
    } catch {}
  }
}

export function toHrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1_000)
  return [seconds, Math.round((milliseconds - seconds * 1_000) * 1e6)]
}
