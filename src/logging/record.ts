import { hexPairs } from '../ids/hex.ts'
import { currentTracing } from '../tracing/current-tracing.ts'

/** One record of a log, in the order in which its fields are written. */
export interface LogRecord {
  /** ISO 8601, in UTC. */
  readonly timestamp: string
  readonly level: string
  readonly logger: string
  readonly message: string
  readonly 'service.name': string
  /** 32 hexadecimal digits; like the next two absent where no trace is going on. */
  readonly trace_id?: string
  /** 16 hexadecimal digits. */
  readonly span_id?: string
  /** 2 hexadecimal digits. */
  readonly trace_flags?: string
  readonly thread: string
  /** What the application adds. */
  readonly [field: string]: unknown
}

/** The application that logs. */
export interface LoggingApplication {
  /** The `service.name` of its records. */
  readonly name: string
}

/** The part of a record that ties it to a trace; a new object each time, for a logger to add to. */
export interface TraceFields {
  trace_id?: string
  span_id?: string
  trace_flags?: string
}

/** The fields of the span that is going on; none where there is none, or tracing is off. */
export function traceFields(): TraceFields {
  const span = currentTracing()?.activeSpan()
  if (span === undefined) return {}
  const { traceId, spanId, flags } = span.context
  return { trace_id: traceId, span_id: spanId, trace_flags: hexPairs[flags & 0xff] ?? '00' }
}

/** @throws TypeError when the application has no name. */
export function serviceName(application: LoggingApplication, asker: string): string {
  const name: unknown = application?.name
  if (typeof name === 'string' && name !== '') return name
  throw new TypeError(`${asker}: application.name must be a text that is not empty, not ${JSON.stringify(name)}`)
}
