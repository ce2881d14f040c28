import { createSafeCall } from '../../base/callback.ts'
import { reportToConsole } from '../../base/report.ts'
import type { TraceContext } from '../../ids/trace-context/traceparent.ts'
import type { Counter } from '../../metrics/counter.ts'

/** State of the whole process: loggers know no management, and all copies of this package share the sinks. */
interface Cell {
  /** `undefined` without a sink, so that a record costs one check. */
  sinks: readonly LogSink[] | undefined
  /** `undefined` without a registry that counts records. */
  counters: readonly LevelCounters[] | undefined
  /** Whether a sink is being called, or `withoutLogSinks` is running. */
  isSuspended: boolean
}

/** The counters of one registry, by `countedLevel`. */
type LevelCounters = readonly Pick<Counter, 'increment'>[]

const key = Symbol.for('upkeep.logging')

const shared = globalThis as typeof globalThis & { [key]?: Cell }
shared[key] ??= { sinks: undefined, counters: undefined, isSuspended: false }

/** The sinks and counters of this process. */
export const logCell: Cell = shared[key]

/**
 * Calls a sink with each log record that is written from now on by a connected logger: one of `createLogger`, of pino
 * with `pinoOptions` or `pinoTraceMixin`, or of winston with `logRecord` or `traceFormat`. Returns a function that
 * removes the sink. The first error of a sink is written to the console, and no error affects the logger. Records that
 * are written while a sink is running are not passed to sinks.
 */
export function addLogSink(sink: LogSink): () => void {
  const call = createSafeCall<[event: LogEvent], void>(
    () => {},
    (error) => reportToConsole('a log sink failed', error),
  )
  const added: LogSink = (event) => call(sink, event)
  logCell.sinks = [...(logCell.sinks ?? []), added]
  return () => {
    const others = logCell.sinks?.filter((each) => each !== added) ?? []
    logCell.sinks = others.length === 0 ? undefined : others
  }
}

/** Whether a record that is written now is passed to a sink. */
export function hasLogSinks(): boolean {
  return logCell.sinks !== undefined && !logCell.isSuspended
}

/** Passes a record to the sinks. Never throws. */
export function publishLogEvent(event: LogEvent): void {
  const { sinks } = logCell
  if (sinks === undefined) return
  withoutLogSinks(() => {
    for (const sink of sinks) sink(event)
  })
}

/** Runs a function whose log records are not passed to sinks, such as a report that a sink's records were lost. */
export function withoutLogSinks<R>(work: () => R): R {
  const wasSuspended = logCell.isSuspended
  logCell.isSuspended = true
  try {
    return work()
  } finally {
    logCell.isSuspended = wasSuspended
  }
}

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
