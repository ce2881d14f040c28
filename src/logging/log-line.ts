import { errorFields } from './error-fields.ts'
import { escapeUnsafeInJson } from './unsafe-characters.ts'

/**
 * Formats a record as one line of JSON, without characters that a terminal interprets. A field that cannot be
 * serialized is replaced by a note; other fields are not affected.
 */
export function formatJsonLine(record: Readonly<Record<string, unknown>>): string {
  return escapeUnsafeInJson(stringify(record))
}

function stringify(record: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(record, replace)
  } catch {
    return JSON.stringify(
      Object.fromEntries(Object.entries(record).map(([name, value]) => [name, toSerializable(value)])),
    )
  }
}

/** Returns the fields for the details of a log call: an error, or an object of fields. */
export function detailFields(details: unknown): Readonly<Record<string, unknown>> {
  if (details === undefined || details === null) return {}
  if (details instanceof Error) return { error: details }
  return typeof details === 'object' && !Array.isArray(details) ? { ...details } : { details }
}

function replace(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Error ? errorFields(value) : value
}

function toSerializable(value: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(value, replace)
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return 'cannot be serialized as JSON'
  }
}
