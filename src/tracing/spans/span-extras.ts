import { type OpenTelemetrySpanContext, spanStatusCodes } from '../open-telemetry.ts'
import { countDropped, errorMessage, limitAttributes, type RecordedAttributes } from './attributes.ts'
import type { SpanEvent, SpanLink, SpanStatus } from './span-recorder.ts'
import type { HrTime } from './span-times.ts'

/** OpenTelemetry's default limit of the events, and of the links, of a span. */
const maxItems = 128

export const unsetStatus: SpanStatus = { code: spanStatusCodes.unset }

/** The events, and the links, of most spans. */
export const noItems: readonly never[] = []

/** Returns the status of a span that fails; `error` may be `undefined`. */
export function failedStatus(error: unknown): SpanStatus {
  return error === undefined
    ? { code: spanStatusCodes.error }
    : { code: spanStatusCodes.error, message: errorMessage(error) }
}

/** The parts that few spans have: allocated on first use. */
export class SpanExtras {
  status: SpanStatus = unsetStatus
  readonly links: SpanLink[] = []
  readonly events: SpanEvent[] = []
  droppedEvents = 0
  droppedLinks = 0
  droppedAttributes = 0
  /** As OpenTelemetry's API has passed them. */
  startTime: HrTime | undefined = undefined
  endTime: HrTime | undefined = undefined

  addEvent(name: string, attributes: RecordedAttributes, time: HrTime): void {
    if (this.events.length >= maxItems) {
      this.droppedEvents += 1
      return
    }
    const droppedAttributesCount = countDropped(attributes)
    this.events.push({ name, time, attributes: limitAttributes(attributes), droppedAttributesCount })
  }

  addLink(context: OpenTelemetrySpanContext, attributes: RecordedAttributes): void {
    if (this.links.length >= maxItems) {
      this.droppedLinks += 1
      return
    }
    const dropped = countDropped(attributes)
    this.links.push({
      context,
      ...(Object.keys(attributes).length > 0 && { attributes: limitAttributes(attributes) }),
      ...(dropped > 0 && { droppedAttributesCount: dropped }),
    })
  }
}
