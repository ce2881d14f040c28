import { type Clock, systemClock } from '../../base/clock.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import type { ForeignNames } from '../../base/unknown-option.ts'
import { ecsProcessFields, ecsRecord, isEcs } from '../ecs-record.ts'
import { countedLevel, countRecord } from '../events/level-counters.ts'
import { RecordEvent } from '../events/line-event.ts'
import { hasLogSinks, publishLogEvent } from '../events/sinks.ts'
import { recordLevel } from '../levels/level.ts'
import { rootName } from '../levels/loggers.ts'
import { severityOf } from '../levels/severity.ts'
import { formatJsonLine } from '../log-line.ts'
import { formatPlainText } from '../plain-text.ts'
import { type LoggingApplication, serviceName, traceFields } from '../record.ts'
import { threadName } from '../thread-name.ts'
import { createTimestamp } from '../timestamp.ts'

/** The record that winston passes from format to format. */
export interface WinstonInfo {
  level: string
  message: unknown
  [field: string | symbol]: unknown
}

/** A format of winston, for `format.combine`. */
export interface WinstonFormat {
  transform(info: WinstonInfo, options?: unknown): WinstonInfo
}

/** Options of `logRecord`. */
export interface WinstonRecordOptions {
  /** The application that logs. */
  readonly application: LoggingApplication
  /** `ecs`: with the fields of the Elastic Common Schema. @default 'json' */
  readonly format?: 'json' | 'ecs' | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/** What others call these options. */
const foreignNames: ForeignNames = {
  name: 'application.name',
  service: 'application.name',
  serviceName: 'application.name',
  level: 'write level in the options of createLogger of winston',
  transports: 'write transports in the options of createLogger of winston',
  defaultMeta: 'write defaultMeta in the options of createLogger of winston',
}

/** Winston's symbols for the level and the text of a record, which its transports read. */
const levelSymbol = Symbol.for('level')
const messageSymbol = Symbol.for('message')
const winstonSymbols = [levelSymbol, messageSymbol, Symbol.for('splat')]

/**
 * Creates a format that converts records to the shape of upkeep, with the ids of the current trace, for
 * `format.combine(logRecord({ application }), format.json())`. The name of the logger is the `logger` in `defaultMeta`
 * or in `child({ logger: 'orders.db' })`, by default `ROOT`. Does not modify its input.
 *
 * @throws TypeError if the application has no name; RangeError if the format is unknown.
 */
export function logRecord(options: WinstonRecordOptions): WinstonFormat {
  requireKnownOptions('logRecord', options, ['application', 'format', 'clock'], { foreignNames })
  const { application, format = 'json', clock = systemClock } = options
  const service = serviceName(application, 'logRecord')
  const timestamp = createTimestamp(clock)
  const thread = threadName()
  const processFields = isEcs(format, 'logRecord') ? ecsProcessFields(application) : undefined
  return {
    transform(info) {
      const { logger, message } = info
      const level = labelOf(info)
      const record: WinstonInfo = {
        timestamp: timestamp(),
        level: recordLevel(level),
        logger: typeof logger === 'string' ? logger : rootName,
        message: textOf(message),
        'service.name': service,
        ...traceFields(),
        thread,
      }
      for (const field in info) if (!(field in record)) record[field] = info[field]
      if (info instanceof Error && typeof info.stack === 'string') record['stack'] = info.stack
      noteRecord(record, level)
      const written = processFields === undefined ? record : toEcs(record, level, processFields)
      for (const symbol of winstonSymbols) if (symbol in info) written[symbol] = info[symbol]
      return written
    },
  }
}

/**
 * Creates a format that adds the ids of the current trace, and changes nothing else: `format.combine(traceFormat(),
 * format.json())`. Fields of the application take precedence. Connects the logger to log sinks and to the counters
 * `logback.events`.
 */
export function traceFormat(): WinstonFormat {
  return {
    transform(info) {
      const ids: Readonly<Record<string, unknown>> = { ...traceFields() }
      for (const name in ids) if (!(name in info)) info[name] = ids[name]
      noteRecord(info, labelOf(info))
      return info
    },
  }
}

/** Counts a record, and passes it to the sinks as it is now: formats that follow may change it. */
function noteRecord(info: WinstonInfo, level: string): void {
  const severity = severityOf(level)
  countRecord(countedLevel(severity))
  if (!hasLogSinks()) return
  try {
    const { message, stack } = info
    const line = formatJsonLine({ ...info, message: textOf(message), ...(info instanceof Error && { stack }) })
    const event = new RecordEvent(line, Date.now(), recordLevel(level), severity)
    // Not within the format: winston would buffer what a sink logs, and pass it on after the sink has returned.
    queueMicrotask(() => publishLogEvent(event))
  } catch {
    // A getter of a field throws: winston decides what happens.
  }
}

/** Creates a format that writes records as plain text: `format.combine(logRecord({ application }), plainText())`. */
export function plainText(): WinstonFormat {
  return {
    transform: (info) => ({ ...info, [messageSymbol]: formatPlainText(info) }),
  }
}

/** `colorize` changes `level`. */
function labelOf(info: WinstonInfo): string {
  const label = info[levelSymbol]
  return typeof label === 'string' ? label : info.level
}

/** Winston requires a property `level`, which is not a field of the Elastic Common Schema, and is not written. */
function toEcs(record: WinstonInfo, level: string, processFields: Readonly<Record<string, unknown>>): WinstonInfo {
  const { message } = record
  const written: WinstonInfo = { level, message, ...ecsRecord(record, level, processFields) }
  return Object.defineProperty(written, 'level', { enumerable: false })
}

function textOf(message: unknown): string {
  if (typeof message === 'string') return message
  if (message instanceof Error) return message.message
  try {
    return typeof message === 'object' ? JSON.stringify(message) : String(message)
  } catch {
    return 'a message that cannot be serialized'
  }
}
