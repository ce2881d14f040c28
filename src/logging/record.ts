import { describeValue } from '../base/describe-value.ts'
import { invalidOption } from '../base/errors.ts'
import { hexPairs } from '../ids/hex.ts'
import { currentBaggage, selectBaggage } from '../tracing/context/current-baggage.ts'
import { baggageSelection, currentTracing } from '../tracing/current-tracing.ts'

/** A log record. Its fields are written in this order. */
export interface LogRecord {
  /** ISO 8601, in UTC. */
  readonly timestamp: string
  readonly level: string
  readonly logger: string
  readonly message: string
  readonly 'service.name': string
  /** 32 hexadecimal digits; absent without a current trace, like the next two fields. */
  readonly trace_id?: string
  /** 16 hexadecimal digits. */
  readonly span_id?: string
  /** 2 hexadecimal digits. */
  readonly trace_flags?: string
  readonly thread: string
  /** Fields of the application. */
  readonly [field: string]: unknown
}

/** The application that logs. */
export interface LoggingApplication {
  /** The `service.name` of its records. */
  readonly name: string
  /** The `service.version`; only in the format `ecs`, like the next two fields. */
  readonly version?: string | undefined
  /** The `service.environment`, such as `production`. */
  readonly environment?: string | undefined
  /** The `service.node.name`: which of several instances of the service this is. */
  readonly nodeName?: string | undefined
}

/** The fields of a record that identify a trace. A new object each time, to which a logger may add fields. */
export interface TraceFields {
  trace_id?: string
  span_id?: string
  trace_flags?: string
}

/** Returns the ids of the current span, and the selected values of its baggage; an empty object without a current span or with tracing disabled. */
export function traceFields(): TraceFields {
  const span = currentTracing()?.activeSpan()
  if (span === undefined) return {}
  const { traceId, spanId, flags } = span.context
  const ids: TraceFields = { trace_id: traceId, span_id: spanId, trace_flags: hexPairs[flags & 0xff] ?? '00' }
  const keys = baggageSelection()?.logFields
  return keys === undefined ? ids : { ...baggageFields(keys), ...ids }
}

/** Returns the selected values of the current baggage. */
function baggageFields(keys: readonly string[]): Readonly<Record<string, string>> {
  const baggage = currentBaggage()
  return baggage === undefined ? {} : selectBaggage(baggage, keys)
}

/** Returns the same fields under their names in the Elastic Common Schema. */
export function ecsTraceFields(): object {
  const { trace_id, span_id, trace_flags, ...baggage } = traceFields()
  return trace_id === undefined ? {} : { ...baggage, 'trace.id': trace_id, 'span.id': span_id }
}

/** @throws TypeError if the application has no name. */
export function serviceName(application: LoggingApplication, caller: string): string {
  const name: unknown = application?.name
  if (typeof name === 'string' && name !== '') return name
  throw invalidOption(`${caller}: application.name: expected a non-empty string, received ${describeValue(name)}`)
}
