import { createLogger, type Logger, type Report } from 'upkeep'
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

/** Tells the log of what fails. The keys of hooks have no place in it: whoever reads one can post. */
export function reportTo(log: Logger): Report {
  return (message, cause) => {
    const text = hideKeys(message)
    if (cause === undefined) log.warn(text)
    else log.error(text, cause)
  }
}

function hideKeys(text: string): string {
  return text.replaceAll(/\b[a-z2-8]{26}\b/g, '…')
}
