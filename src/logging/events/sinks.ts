import { createSafeCall } from '../../base/callback.ts'
import { reportToConsole } from '../../base/report.ts'
import type { Counter } from '../../metrics/counter.ts'
import type { LogEvent, LogSink } from './log-event.ts'

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
