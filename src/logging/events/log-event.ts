import type { TraceContext } from '../../ids/trace-context/traceparent.ts'

/**
 * A log record as a sink receives it: what has been written, after serializers and redaction, in any format. Most
 * properties are read from the record when they are first accessed. They do not change later, and reading them never
 * throws.
 */
export interface LogEvent {
  /** When the record was written, in milliseconds since the epoch. */
  readonly time: number
  /** `INFO`, `ERROR`, …, as in the records of upkeep; custom levels in capitals. */
  readonly level: string
  /** From 1 (TRACE) to 24 (FATAL4). OpenTelemetry, logs data model, "Field: SeverityNumber". */
  readonly severity: number
  /** The name of the logger; `ROOT` by default. */
  readonly logger: string
  /** `undefined` for a record without a message. */
  readonly message: string | undefined
  /** The logged error; `undefined` without one. */
  readonly error: LoggedError | undefined
  /** The other fields of the record, as `JSON.parse` returns them. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** The trace context in which the record was written; `undefined` outside of a trace. */
  readonly trace: TraceContext | undefined
}

/** An error in a log record. */
export interface LoggedError {
  /** The name of the error or of its class. */
  readonly type: string | undefined
  readonly message: string | undefined
  readonly stack: string | undefined
}

/** Receives log records. Called synchronously while the record is written, so it should store the event and return. */
export type LogSink = (event: LogEvent) => void
