import { textBytes } from '../../base/text-bytes.ts'
import { sampledFlag, type TraceContext } from '../../ids/trace-context/traceparent.ts'
import { LineEvent } from '../../logging/events/line-event.ts'
import type { LogEvent, LoggedError } from '../../logging/events/sinks.ts'
import { type HeldItem, type KeptReason, keptAttribute } from '../../tracing/held/held-request.ts'

/** Of a record without its text; measured with V8 on 64 bits, rounded up. */
const recordBytes = 384

/** A log record below the exported level, which is exported only if its request is kept. */
export class HeldRecord implements HeldItem {
  readonly signal = 'logs'
  readonly bytes: number
  readonly #event: LogEvent
  readonly #send: (event: LogEvent) => void

  constructor(event: LogEvent, send: (event: LogEvent) => void) {
    this.bytes = recordBytes + bytesOf(event)
    this.#event = event
    this.#send = send
  }

  keep(reason: KeptReason): void {
    this.#send(new KeptEvent(this.#event, reason))
  }
}

/** Estimates the text of a record, without parsing it where that is possible. */
function bytesOf(event: LogEvent): number {
  if (event instanceof LineEvent) return event.bytes
  const { message = '', error, attributes } = event
  return textBytes(message) + textBytes(error?.stack ?? '') + textBytes(JSON.stringify(attributes))
}

/** A record with the attribute that marks it, and the sampled flag that the spans of the request have. */
class KeptEvent implements LogEvent {
  readonly #event: LogEvent
  readonly #reason: KeptReason

  constructor(event: LogEvent, reason: KeptReason) {
    this.#event = event
    this.#reason = reason
  }

  get time(): number {
    return this.#event.time
  }

  get level(): string {
    return this.#event.level
  }

  get severity(): number {
    return this.#event.severity
  }

  get logger(): string {
    return this.#event.logger
  }

  get message(): string | undefined {
    return this.#event.message
  }

  get error(): LoggedError | undefined {
    return this.#event.error
  }

  get attributes(): Readonly<Record<string, unknown>> {
    return { [keptAttribute]: this.#reason, ...this.#event.attributes }
  }

  get trace(): TraceContext | undefined {
    const { trace } = this.#event
    if (trace === undefined) return undefined
    const { traceId, spanId, flags } = trace
    return { traceId, spanId, flags: flags | sampledFlag }
  }
}
