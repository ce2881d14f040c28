import type { LogEvent } from '../../logging/events/sinks.ts'
import type { ResourceAttributes } from '../settings/telemetry-options.ts'
import { writeAttribute, writeAttributes, writeValue } from './encode-attributes.ts'
import { type BatchEncoder, createBatchEncoder, type Scope } from './envelope.ts'
import { type Encoding, type Field, isSpanId, isTraceId, type MessageWriter, writeTime } from './message-writer.ts'

/** Returns a function that encodes records as a request. The name of a logger is that of a scope. */
export function createLogEncoder(
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

/** `opentelemetry.proto.logs.v1.LogRecord`. */
const fields = {
  time: { number: 1, name: 'timeUnixNano' },
  severityNumber: { number: 2, name: 'severityNumber' },
  severityText: { number: 3, name: 'severityText' },
  body: { number: 5, name: 'body' },
  attributes: { number: 6, name: 'attributes', isRepeated: true },
  droppedAttributes: { number: 7, name: 'droppedAttributesCount' },
  flags: { number: 8, name: 'flags' },
  traceId: { number: 9, name: 'traceId' },
  spanId: { number: 10, name: 'spanId' },
  observedTime: { number: 11, name: 'observedTimeUnixNano' },
} as const satisfies Record<string, Field>

/**
 * Writes the fields of a log record. The error becomes the attributes `exception.*` of OpenTelemetry's semantic
 * conventions. Of other attributes, at most `maximumAttributes` are written, and further ones are counted.
 */
function writeLogRecord(out: MessageWriter, event: LogEvent, maximumAttributes: number): void {
  const { time, severity, level, message, error, trace } = event
  writeTime(out, fields.time, time)
  out.uint32(fields.severityNumber, severity)
  out.string(fields.severityText, level)
  if (message !== undefined) writeValue(out, fields.body, message)
  if (error !== undefined) {
    const { type, message: text, stack } = error
    const exception = { 'exception.type': type, 'exception.message': text, 'exception.stacktrace': stack }
    writeAttributes(out, fields.attributes, exception)
  }
  const attributes = Object.entries(event.attributes)
  for (const [key, value] of attributes.slice(0, maximumAttributes)) writeAttribute(out, fields.attributes, key, value)
  if (attributes.length > maximumAttributes) out.uint32(fields.droppedAttributes, attributes.length - maximumAttributes)
  if (trace !== undefined && isTraceId(trace.traceId) && isSpanId(trace.spanId)) {
    out.fixed32(fields.flags, trace.flags & 0xff)
    out.id(fields.traceId, trace.traceId)
    out.id(fields.spanId, trace.spanId)
  }
  writeTime(out, fields.observedTime, time)
}
