import { textBytes } from '../base/text-bytes.ts'
import { sampledFlag, type TraceContext } from '../ids/trace-context/traceparent.ts'
import { captureConsole } from '../logging/console-capture.ts'
import { activeSpan, LineEvent } from '../logging/events/line-event.ts'
import { addLogSink, type LogEvent, type LoggedError } from '../logging/events/sinks.ts'
import { type HeldItem, type KeptReason, keptAttribute } from '../tracing/held/held-request.ts'
import { heldRequestOf } from '../tracing/spans/bridged-span.ts'
import { type BatchExport, createBatchExport } from './delivery/batch-export.ts'
import type { Sender } from './delivery/delivery.ts'
import type { RequestBody } from './delivery/receiver-client.ts'
import { createLogEncoder } from './encoding/encode-logs.ts'
import type { Encoding } from './encoding/message-writer.ts'
import type { Exporting } from './exporters.ts'
import { urlHint } from './settings/receiver-url.ts'
import type { LogsSettings } from './settings/signal-settings.ts'
import type { ResourceAttributes } from './settings/telemetry-options.ts'

/** Exports the records of all connected loggers of the process. */
export function exportLogs(
  settings: LogsSettings,
  resource: ResourceAttributes,
  encoding: Encoding,
  sender: Sender<RequestBody>,
  exporting: Exporting,
): BatchExport<LogEvent> {
  const { queue, timeoutMilliseconds, minimumSeverity, maximumAttributes } = settings
  const batches = createBatchExport<LogEvent>({
    signal: 'logs',
    queue,
    encode: createLogEncoder(encoding, resource, maximumAttributes),
    sender,
    hint: urlHint(settings.url, 'v1/logs'),
    timeoutMilliseconds,
    exporting,
  })
  const { held } = exporting
  const removeSink = addLogSink((event) => {
    if (event.severity >= minimumSeverity) batches.add(event)
    else if (held?.rule !== undefined) hold(event)
  })
  // A sink is called in the trace of the record.
  const hold = (event: LogEvent) => {
    const request = heldRequestOf(activeSpan())
    if (request?.accepts) request.add(new HeldRecord(event, batches.add))
  }
  const releaseConsole = settings.console ? captureConsole() : () => {}
  return {
    add: batches.add,
    get queueSize() {
      return batches.queueSize
    },
    flush: batches.flush,
    shutdown() {
      releaseConsole()
      removeSink()
      return batches.shutdown()
    },
    abort: batches.abort,
  }
}

/** Of a record without its text; measured with V8 on 64 bits, rounded up. */
const recordBytes = 384

/** A log record below the exported level, which is exported only if its request is kept. */
class HeldRecord implements HeldItem {
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
