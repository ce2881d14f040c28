import { type Clock, systemClock } from '../../base/clock.ts'
import { recordLevel } from '../levels/level.ts'
import { rootName } from '../levels/loggers.ts'
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
  /** @default the system's */
  readonly clock?: Clock | undefined
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
 * @throws TypeError if the application has no name.
 */
export function logRecord({ application, clock = systemClock }: WinstonRecordOptions): WinstonFormat {
  const service = serviceName(application, 'logRecord')
  const timestamp = createTimestamp(clock)
  const thread = threadName()
  return {
    transform(info) {
      const { logger, message } = info
      const level = info[levelSymbol]
      const record: WinstonInfo = {
        timestamp: timestamp(),
        level: recordLevel(typeof level === 'string' ? level : info.level),
        logger: typeof logger === 'string' ? logger : rootName,
        message: typeof message === 'string' ? message : textOf(message),
        'service.name': service,
        ...traceFields(),
        thread,
      }
      for (const field in info) if (!(field in record)) record[field] = info[field]
      for (const symbol of winstonSymbols) if (symbol in info) record[symbol] = info[symbol]
      if (info instanceof Error && typeof info.stack === 'string') record['stack'] = info.stack
      return record
    },
  }
}

/** Creates a format that writes records as plain text: `format.combine(logRecord({ application }), plainText())`. */
export function plainText(): WinstonFormat {
  return {
    transform: (info) => ({ ...info, [messageSymbol]: formatPlainText(info) }),
  }
}

function textOf(message: unknown): string {
  if (message instanceof Error) return message.message
  try {
    return typeof message === 'object' ? JSON.stringify(message) : String(message)
  } catch {
    return 'a message that cannot be serialized'
  }
}
