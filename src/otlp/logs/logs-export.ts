import { captureConsole } from '../../logging/console-capture.ts'
import { activeSpan } from '../../logging/events/line-event.ts'
import { addLogSink, type LogEvent } from '../../logging/events/sinks.ts'
import { heldRequestOf } from '../../tracing/spans/bridged-span.ts'
import { type BatchExport, createBatchExport } from '../delivery/batch-export.ts'
import type { Sender } from '../delivery/delivery.ts'
import type { Exporting } from '../delivery/exporting.ts'
import type { RequestBody } from '../delivery/receiver-client.ts'
import { type BatchEncoder, createBatchEncoder } from '../encoding/batch-encoder.ts'
import { writeLogRecord } from '../encoding/encode-logs.ts'
import type { Scope } from '../encoding/envelope.ts'
import type { Encoding } from '../encoding/message-writer.ts'
import type { LogsSettings } from '../settings/logs-settings.ts'
import { urlHint } from '../settings/receiver-url.ts'
import type { ResourceAttributes } from '../settings/telemetry-options.ts'
import { HeldRecord } from './held-record.ts'

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

/** Returns a function that encodes records as a request. The name of a logger is that of a scope. */
function createLogEncoder(
  encoding: Encoding,
  resource: ResourceAttributes,
  maximumAttributes: number,
): BatchEncoder<LogEvent> {
  const item = { number: 2, name: 'logRecords', isRepeated: true } as const
  return createBatchEncoder({
    ...{ encoding, resource, item },
    outer: ['resourceLogs', 'scopeLogs'],
    group: byLogger,
    write: (out, event: LogEvent) => writeLogRecord(out, event, maximumAttributes),
  })
}

function byLogger(events: readonly LogEvent[]): ReadonlyMap<Scope, readonly LogEvent[]> {
  const scopes = new Map<string, Scope>()
  const groups = new Map<Scope, LogEvent[]>()
  for (const event of events) {
    const scope = scopes.get(event.logger) ?? { name: event.logger }
    scopes.set(event.logger, scope)
    const group = groups.get(scope) ?? []
    groups.set(scope, group)
    group.push(event)
  }
  return groups
}
