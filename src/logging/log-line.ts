import { errorFields } from './error-fields.ts'
import type { LogRecord } from './record.ts'
import { showUnsafeInJson } from './unsafe-characters.ts'

/**
 * Returns a record as one line of JSON that every reader of JSON takes and no terminal obeys. A field that JSON cannot hold is
 * replaced by a remark; the others are not affected.
 */
export function formatJsonLine(record: LogRecord): string {
  return showUnsafeInJson(stringify(record))
}

function stringify(record: LogRecord): string {
  try {
    return JSON.stringify(record, replace)
  } catch {
    return JSON.stringify(Object.fromEntries(Object.entries(record).map(([name, value]) => [name, orExcuse(value)])))
  }
}

/** What a caller says of a message: an error, or fields, of which some may be errors. */
export function detailFields(details: unknown): Readonly<Record<string, unknown>> {
  if (details === undefined || details === null) return {}
  if (details instanceof Error) return { error: details }
  return typeof details === 'object' && !Array.isArray(details) ? { ...details } : { details }
}

function replace(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Error ? errorFields(value) : value
}

function orExcuse(value: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(value, replace)
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return 'not to be written as JSON'
  }
}
