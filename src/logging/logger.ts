import { ignoreRejection } from '../base/callback.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import { errorFields } from './error-fields.ts'
import { createLoggers } from './levels/create-loggers.ts'
import type { Level } from './levels/level.ts'
import { type Loggers, rootName } from './levels/loggers.ts'
import { detailFields, formatJsonLine } from './log-line.ts'
import { formatPlainText } from './plain-text.ts'
import { type LoggingApplication, type LogRecord, serviceName, traceFields } from './record.ts'
import { writeToStandardOutput } from './standard-output.ts'
import { threadName } from './thread-name.ts'
import { createTimestamp } from './timestamp.ts'

/** Writes a record. `details` are its further fields, or the error that it tells of; fits as `report`. */
export type Log = (message: string, details?: unknown) => void

export interface Logger {
  readonly name: string
  readonly error: Log
  readonly warn: Log
  readonly info: Log
  readonly debug: Log
  readonly trace: Log
  isEnabled(level: Exclude<LogLevel, 'OFF'>): boolean
  /** A logger whose records have these fields too; `logger` is its name. */
  child(fields: { readonly logger?: string; readonly [field: string]: unknown }): Logger
  /** This logger and all its relatives, for `createManagement({ loggers })`. */
  readonly loggers: Loggers
}

export type LogLevel = Exclude<Level, 'FATAL'>

export interface CreateLoggerOptions {
  readonly application: LoggingApplication
  /** The level of `ROOT`, and of all that have none of their own. @default 'INFO' */
  readonly level?: LogLevel | undefined
  /** Levels by the name of the logger, for it and those below it. @default {} */
  readonly levels?: Readonly<Record<string, LogLevel>> | undefined
  /** One object a line for programs, or a line for people. @default 'json' */
  readonly format?: 'json' | 'text' | undefined
  /** Takes each line, with its end. @default the standard output */
  readonly write?: ((line: string) => void) | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

const logLevels: readonly LogLevel[] = ['OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE']

/** The level of all loggers of one name. */
interface Volume {
  level: LogLevel
  loudest: number
}

/**
 * A small logger for a service that has none: records with the ids of the trace that is going on, to the standard output.
 *
 * @throws TypeError, RangeError naming the option that is not what it may be.
 */
export function createLogger({
  application,
  level: rootLevel = 'INFO',
  levels = {},
  format = 'json',
  write = writeToStandardOutput,
  clock = systemClock,
}: CreateLoggerOptions): Logger {
  const service = serviceName(application, 'createLogger')
  if (format !== 'json' && format !== 'text') throw new RangeError(`format must be 'json' or 'text', not '${format}'`)
  const timestamp = createTimestamp(clock)
  const thread = threadName()
  const volumes = new Map([[rootName, volumeOf(rootLevel, 'level')]])
  for (const [name, level] of Object.entries(levels)) volumes.set(name, volumeOf(level, `levels.${name}`))

  /** A new name has the level of the nearest above it. */
  function volumeAt(name: string): Volume {
    const known = volumes.get(name)
    if (known !== undefined) return known
    const dot = name.lastIndexOf('.')
    const { level } = dot > 0 ? (nearest(name.slice(0, dot)) ?? volumeAt(rootName)) : volumeAt(rootName)
    const volume = volumeOf(level, 'level')
    volumes.set(name, volume)
    return volume
  }

  function nearest(name: string): Volume | undefined {
    const dot = name.lastIndexOf('.')
    return volumes.get(name) ?? (dot > 0 ? nearest(name.slice(0, dot)) : undefined)
  }

  function tell(level: LogLevel, logger: string, message: string, fields: Readonly<Record<string, unknown>>): void {
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
    const line = format === 'json' ? formatJsonLine(record) : formatPlainText(withPlainErrors(record))
    ignoreRejection(write(`${line}\n`))
  }

  const levelsOf = createLoggers({
    levels: logLevels,
    names: () => [...volumes.keys()].filter((name) => name !== rootName),
    read: (name) => volumes.get(name)?.level,
    write: (name, level) => {
      const volume = volumes.get(name)
      if (volume !== undefined) Object.assign(volume, volumeOf(level === 'FATAL' ? 'ERROR' : level, 'level'))
    },
  })

  const report: Report = (message, cause) =>
    create('upkeep', {})[cause === undefined ? 'warn' : 'error'](message, cause)
  const loggers: Loggers = { ...levelsOf, report }

  function create(name: string, bindings: Readonly<Record<string, unknown>>): Logger {
    const volume = volumeAt(name)
    const log = (level: LogLevel): Log => {
      const loudness = logLevels.indexOf(level)
      return (message, details) => {
        if (loudness > volume.loudest) return
        try {
          tell(level, name, message, { ...bindings, ...detailFields(details) })
        } catch {
          // A field that throws when it is looked at, or a line that cannot be written: the service goes on.
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
      isEnabled: (level) => logLevels.indexOf(level) <= volume.loudest,
      child: ({ logger, ...fields }) => create(logger ?? name, { ...bindings, ...fields }),
      loggers,
    }
  }
  return create(rootName, {})
}

function volumeOf(level: LogLevel, option: string): Volume {
  const loudest = logLevels.indexOf(level)
  if (loudest < 0)
    throw new RangeError(`${option} must be one of ${logLevels.join(', ')}, not ${JSON.stringify(level)}`)
  return { level, loudest }
}

function withPlainErrors(record: LogRecord): LogRecord {
  const fields = Object.entries(record).map(([name, value]) => [
    name,
    value instanceof Error ? errorFields(value) : typeof value === 'bigint' ? String(value) : value,
  ])
  return Object.fromEntries(fields) as LogRecord
}
