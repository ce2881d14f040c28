import { hideCredentials } from './redaction.ts'

/** The maximum depth of causes, which may be circular, and the maximum number of errors of an `AggregateError`. */
const maxDepth = 5

const maxLength = 4_000

/**
 * Returns an error as one line for operators: `<name>: <message>` with its code, the errors of an `AggregateError` and
 * its causes, without credentials. Accepts any thrown value, and never throws.
 */
export function describeError(error: unknown): string {
  try {
    const line = onOneLine(describe(error, 0))
    return line.length <= maxLength ? line : `${line.slice(0, maxLength)}…`
  } catch {
    return 'an error that cannot be described'
  }
}

function onOneLine(text: string): string {
  if (!text.includes('\n')) return text
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

function describe(error: unknown, depth: number): string {
  if (!(error instanceof Error)) {
    return hideCredentials(typeof error === 'object' && error !== null ? describeObject(error) : String(error))
  }
  const aggregated = aggregatedErrors(error, depth).map((each) => describe(each, depth + 1))
  const { cause } = error
  const causes =
    cause === undefined || cause === null || depth === maxDepth ? [] : [`cause: ${describe(cause, depth + 1)}`]
  const code = codeOf(error)
  const message = error.message === '' ? [] : [hideCredentials(error.message) + code]
  const text = [...message, ...aggregated, ...causes].join('; ')
  return `${error.name}${error.message === '' ? code : ''}${text === '' ? '' : `: ${text}`}`
}

/** Returns the errors of an `AggregateError`, such as those of connecting to each address of a name. */
function aggregatedErrors(error: Error, depth: number): readonly unknown[] {
  const errors: unknown = 'errors' in error && depth < maxDepth ? error.errors : undefined
  return Array.isArray(errors) ? errors.slice(0, maxDepth) : []
}

function codeOf(error: Error): string {
  // The legacy code of a DOMException duplicates its name.
  const code: unknown = 'code' in error && !(error instanceof DOMException) ? error.code : undefined
  if (typeof code !== 'string' && typeof code !== 'number') return ''
  const text = String(code)
  // A message of this package states more than its code.
  return text.startsWith('UPKEEP_') || error.message.includes(text) ? '' : ` (${text})`
}

function describeObject(thrown: object): string {
  return 'message' in thrown && typeof thrown.message === 'string' ? thrown.message : JSON.stringify(thrown)
}
