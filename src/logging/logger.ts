import { ignoreRejection } from '../base/callback.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { describeValue } from '../base/describe-value.ts'
import { optionOutOfRange } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import type { Report } from '../base/report.ts'
import type { ForeignNames } from '../base/unknown-option.ts'
import { countedLevel, countRecord } from './events/level-counters.ts'
import { RecordEvent } from './events/line-event.ts'
import { hasLogSinks, publishLogEvent } from './events/sinks.ts'
import { createFormat } from './formats.ts'
import { createLoggers } from './levels/create-loggers.ts'
import type { Level } from './levels/level.ts'
import { type Loggers, rootName } from './levels/loggers.ts'
import { severityOf } from './levels/severity.ts'
import { detailFields, formatJsonLine } from './log-line.ts'
import { type LoggingApplication, type LogRecord, serviceName, traceFields } from './record.ts'
import { writeToStandardOutput } from './standard-output.ts'
import { threadName } from './thread-name.ts'
import { createTimestamp } from './timestamp.ts'

/** Writes a record. `details` are additional fields, or an error. Can be used as `report`. */
export type Log = (message: string, details?: unknown) => void

/** A logger, with one method for each level. */
export interface Logger {
  readonly name: string
  readonly error: Log
  readonly warn: Log
  readonly info: Log
  readonly debug: Log
  readonly trace: Log
  /** Returns whether records of a level are written. */
  isEnabled(level: Exclude<LogLevel, 'OFF'>): boolean
  /** Creates a logger whose records have these additional fields; `logger` is its name. */
  child(fields: { readonly logger?: string; readonly [field: string]: unknown }): Logger
  /** The levels of this logger and all related ones, for `createManagement({ loggers })`. */
  readonly loggers: Loggers
}

/** The name of a level of `createLogger`, which has no `FATAL`. */
export type LogLevel = Exclude<Level, 'FATAL'>

/** Options of `createLogger`. */
export interface CreateLoggerOptions {
  /** The application that logs. */
  readonly application: LoggingApplication
  /** The level of `ROOT`, which other loggers inherit. @default 'INFO' */
  readonly level?: LogLevel | undefined
  /** Levels by name, for a logger and those that inherit from it. @default {} */
  readonly levels?: Readonly<Record<string, LogLevel>> | undefined
  /** JSON with one record per line, JSON with the fields of the Elastic Common Schema, or plain text. @default 'json' */
  readonly format?: 'json' | 'ecs' | 'text' | undefined
  /** Writes a line, which includes its line break. @default the standard output */
  readonly write?: ((line: string) => void) | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/** What others call these options. */
const foreignNames: ForeignNames = {
  name: 'application.name',
  service: 'application.name',
  serviceName: 'application.name',
  defaultMeta: 'call child(fields) of the logger',
  logLevel: 'level',
  destination: 'write',
  stream: 'write',
  transport: 'write',
  transports: 'write',
  pretty: 'write format: "text"',
  prettyPrint: 'write format: "text"',
}

const logLevels: readonly LogLevel[] = ['OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE']

/** The level of all loggers with one name. */
interface Threshold {
  level: LogLevel
  /** The index of the level, to which the indexes of records are compared. */
  rank: number
}

/**
 * Creates a small logger, which writes records with the ids of the current trace to the standard output.
 *
 * @throws TypeError, RangeError if an option is invalid.
 */
export function createLogger(options: CreateLoggerOptions): Logger {
  requireKnownOptions('createLogger', options, ['application', 'level', 'levels', 'format', 'write', 'clock'], {
    foreignNames,
  })
  const {
    application,
    level: rootLevel = 'INFO',
    levels = {},
    format = 'json',
    write = writeToStandardOutput,
    clock = systemClock,
  } = options
  const service = serviceName(application, 'createLogger')
  const formatRecord = createFormat(format, application)
  const timestamp = createTimestamp(clock)
  const thread = threadName()
  const thresholds = new Map([[rootName, thresholdOf(rootLevel, 'level')]])
  for (const [name, level] of Object.entries(levels)) thresholds.set(name, thresholdOf(level, `levels.${name}`))

  /** A logger with a new name inherits its level. */
  function thresholdFor(name: string): Threshold {
    const known = thresholds.get(name)
    if (known !== undefined) return known
    const dot = name.lastIndexOf('.')
    const { level } = dot > 0 ? (nearest(name.slice(0, dot)) ?? thresholdFor(rootName)) : thresholdFor(rootName)
    const threshold = thresholdOf(level, 'level')
    thresholds.set(name, threshold)
    return threshold
  }

  function nearest(name: string): Threshold | undefined {
    const dot = name.lastIndexOf('.')
    return thresholds.get(name) ?? (dot > 0 ? nearest(name.slice(0, dot)) : undefined)
  }

  function writeRecord(
    level: LogLevel,
    logger: string,
    message: string,
    fields: Readonly<Record<string, unknown>>,
  ): void {
    const own: LogRecord = {
      timestamp: timestamp(),
      level,
      logger,
      message: String(message),
      'service.name': service,
      ...traceFields(),
      thread,
    }
    const record: LogRecord = { ...own, ...fields, ...own }
    const line = formatRecord(record)
    ignoreRejection(write(`${line}\n`))
    if (hasLogSinks()) {
      const json = format === 'json' ? line : formatJsonLine(record)
      publishLogEvent(new RecordEvent(json, clock.wallTime(), level, severityOf(level)))
    }
  }

  const levelsOf = createLoggers({
    levels: logLevels,
    names: () => [...thresholds.keys()].filter((name) => name !== rootName),
    read: (name) => thresholds.get(name)?.level,
    write: (name, level) => {
      const threshold = thresholds.get(name)
      if (threshold !== undefined) Object.assign(threshold, thresholdOf(level === 'FATAL' ? 'ERROR' : level, 'level'))
    },
  })

  const report: Report = (message, cause) =>
    create('upkeep', {})[cause === undefined ? 'warn' : 'error'](message, cause)
  const loggers: Loggers = { ...levelsOf, report }

  function create(name: string, bindings: Readonly<Record<string, unknown>>): Logger {
    const threshold = thresholdFor(name)
    const log = (level: LogLevel): Log => {
      const rank = logLevels.indexOf(level)
      const counted = countedLevel(severityOf(level))
      return (message, details) => {
        if (rank > threshold.rank) return
        countRecord(counted)
        try {
          writeRecord(level, name, message, { ...bindings, ...detailFields(details) })
        } catch {
          // A getter of a field throws, or the line cannot be written: the service continues.
        }
      }
    }
    return {
      name,
      error: log('ERROR'),
      warn: log('WARN'),
      info: log('INFO'),
      debug: log('DEBUG'),
      trace: log('TRACE'),
      isEnabled: (level) => logLevels.indexOf(level) <= threshold.rank,
      child: ({ logger, ...fields }) => create(logger ?? name, { ...bindings, ...fields }),
      loggers,
    }
  }
  return create(rootName, {})
}

function thresholdOf(level: LogLevel, option: string): Threshold {
  const rank = logLevels.indexOf(level)
  if (rank < 0) {
    throw optionOutOfRange(
      `createLogger: ${option}: expected one of ${logLevels.join(', ')}, received ${describeValue(level)}`,
    )
  }
  return { level, rank }
}
