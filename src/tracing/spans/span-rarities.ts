import type { OpenTelemetrySpanContext } from '../open-telemetry.ts'
import type { SpanEvent } from './span-recorder.ts'

export interface SpanStatus {
  readonly code: number
  readonly message?: string
}

/** What most spans have none of. */
export interface Rarities {
  status: SpanStatus
  readonly links: { readonly context: OpenTelemetrySpanContext }[]
  readonly events: SpanEvent[]
  droppedEvents: number
  droppedLinks: number
}

export function createRarities(): Rarities {
  return { status: { code: 0 }, links: [], events: [], droppedEvents: 0, droppedLinks: 0 }
}
