import type { Report } from 'upkeep'
import { createLogger, type Logger } from 'upkeep/logging'
import { redactKeys } from './hooks/redact-keys.ts'
import { limitRepeats } from './limit-repeats.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

const name = 'webhook-receiver'

/**
 * Creates a logger whose records have the ids of the current trace: a line of JSON each, or of text for people. Nothing
 * else is written to the standard error.
 */
export function createReceiverLog(
  { logFormat, logLevel }: Pick<Settings, 'logFormat' | 'logLevel'>,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Logger {
  const application = { name, version }
  return createLogger({ application, format: logFormat, level: logLevel, write }).child({ logger: name })
}

/**
 * Returns a `report` that writes to a log: without the keys of hooks, which allow posting, and at most ten times a
 * minute for the same message, because an outage fails every request.
 */
export function reportTo(log: Logger): Report {
  const omittedBefore = limitRepeats()
  return (message, cause) => {
    const text = redactKeys(message)
    const omitted = omittedBefore(text)
    if (omitted === undefined) return
    const told = omitted === 0 ? text : `${text} (${omitted} more since the last record)`
    if (cause === undefined) log.warn(told)
    else log.error(told, cause)
  }
}
