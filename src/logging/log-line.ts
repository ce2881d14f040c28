import { errorFields } from './error-fields.ts'
import type { LogRecord } from './record.ts'

/** A record as one line of JSON. What JSON cannot hold costs its own field. */
export function formatJsonLine(record: LogRecord): string {
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
