import type { Clock } from '../../base/clock.ts'
import { packageVersion } from '../../base/package-version.ts'
import type { TraceIds } from '../../ids/trace-context/trace-ids.ts'
import type { OpenTelemetrySpanContext } from '../open-telemetry.ts'
import type { Attributes, AttributeValue } from '../span.ts'

/** Seconds and nanoseconds since 1970. */
export type HrTime = [seconds: number, nanoseconds: number]

export interface SpanEvent {
  readonly name: string
  readonly time: HrTime
  readonly attributes: Attributes
  readonly droppedAttributesCount: number
}

/** A span that has ended, as processors and exporters of OpenTelemetry read it: `ReadableSpan`, met by shape. */
export interface EndedSpan {
  readonly name: string
  readonly kind: number
  spanContext(): OpenTelemetrySpanContext
  readonly parentSpanContext: OpenTelemetrySpanContext | undefined
  readonly startTime: HrTime
  readonly endTime: HrTime
  readonly duration: HrTime
  readonly ended: boolean
  readonly status: { readonly code: number; readonly message?: string }
  readonly attributes: Readonly<Record<string, AttributeValue>>
  readonly links: readonly { readonly context: OpenTelemetrySpanContext }[]
  readonly events: readonly SpanEvent[]
  readonly resource: unknown
  readonly instrumentationScope: { readonly name: string; readonly version?: string }
  readonly droppedAttributesCount: number
  readonly droppedEventsCount: number
  readonly droppedLinksCount: number
}

/** Where the spans go that upkeep makes itself. */
export interface SpanRecorderOptions {
  /** A `SpanProcessor` of OpenTelemetry's; of these spans it is told the end only. */
  readonly processor: { onEnd(span: never): void }
  /** The `Resource` that the spans are of. */
  readonly resource: unknown
}

const scope = { name: 'upkeep', version: packageVersion }

/** How old the anchor of times may become: a clock that is set right must show. */
const anchorMilliseconds = 1_000

/** Hands ended spans on, and tells their times. */
export class SpanRecorder {
  readonly resource: unknown
  readonly scope: { readonly name: string; readonly version?: string } = scope
  readonly ids: TraceIds
  readonly clock: Clock
  readonly #processor: { onEnd(span: EndedSpan): void }
  #wallTime = Number.NEGATIVE_INFINITY
  #monotonicTime = Number.NEGATIVE_INFINITY

  constructor({ processor, resource }: SpanRecorderOptions, ids: TraceIds, clock: Clock) {
    // The shape of what is handed over is that of the official ReadableSpan; a test holds it to that type.
    this.#processor = processor as { onEnd(span: EndedSpan): void }
    this.resource = resource
    this.ids = ids
    this.clock = clock
  }

  /** Milliseconds of monotonic time. */
  now(): number {
    return this.clock.monotonicTime()
  }

  /** Milliseconds of wall time at a moment that is about now, with a fraction. */
  wallTimeAt(monotonicTime: number): number {
    if (monotonicTime - this.#monotonicTime > anchorMilliseconds) {
      this.#monotonicTime = this.clock.monotonicTime()
      this.#wallTime = this.clock.wallTime()
    }
    return this.#wallTime + (monotonicTime - this.#monotonicTime)
  }

  onEnd(span: EndedSpan): void {
    try {
      this.#processor.onEnd(span)
    } catch {
      // A processor that fails must not cost what was traced.
    }
  }
}

export function toHrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1_000)
  return [seconds, Math.round((milliseconds - seconds * 1_000) * 1e6)]
}
