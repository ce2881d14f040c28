import { type Clock, systemClock } from '../../base/clock.ts'
import { levelText } from '../level-text.ts'
import { rootName } from '../levels/loggers.ts'
import { formatPlainText } from '../plain-text.ts'
import { type LoggingApplication, type LogRecord, serviceName, traceFields } from '../record.ts'
import { threadName } from '../thread-name.ts'
import { createTimestamp } from '../timestamp.ts'

/** What winston hands from format to format. */
export interface WinstonInfo {
  level: string
  message: unknown
  [field: string | symbol]: unknown
}

/** A format of winston: one of those that `format.combine` takes. */
export interface WinstonFormat {
  transform(info: WinstonInfo, options?: unknown): WinstonInfo
}

export interface WinstonRecordOptions {
  readonly application: LoggingApplication
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/** Where winston has the level that its transports go by, and the text that they write. */
const levelSymbol = Symbol.for('level')
const messageSymbol = Symbol.for('message')
const winstonSymbols = [levelSymbol, messageSymbol, Symbol.for('splat')]

/**
 * A format that gives a record of winston upkeep's shape, with the ids of the trace that is going on, for
 * `format.combine(logRecord({ application }), format.json())`. The logger is called `ROOT`, or as a `logger` in its
 * `defaultMeta` or in `child({ logger: 'orders.db' })` says. What it is handed it leaves as it is.
 *
 * @throws TypeError when the application has no name.
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
        level: levelText(typeof level === 'string' ? level : info.level),
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

/** A format that writes a record of `logRecord` as a line for people: `format.combine(logRecord({ application }), plainText())`. */
export function plainText(): WinstonFormat {
  return {
    transform: (info) => ({ ...info, [messageSymbol]: formatPlainText(info as unknown as LogRecord) }),
  }
}

function textOf(message: unknown): string {
  if (message instanceof Error) return message.message
  try {
    return typeof message === 'object' ? JSON.stringify(message) : String(message)
  } catch {
    return 'a message that cannot be written'
  }
}
