import { hideCredentials } from './credentials.ts'

/** A chain of causes is followed so far and no further, for it may be a circle. */
const deepest = 5

/**
 * What went wrong, in one line for an operator: `<name>: <message>` of an error, with its code, the errors it gathers
 * and its causes, and without credentials. Takes whatever was thrown and never throws.
 */
export function describeError(error: unknown): string {
  try {
    return hideCredentials(describe(error, 0)).replaceAll(/\s*\n\s*/g, ' ')
  } catch {
    return 'an error that cannot be described'
  }
}

function describe(error: unknown, depth: number): string {
  if (!(error instanceof Error)) {
    return typeof error === 'object' && error !== null ? describeObject(error) : String(error)
  }
  const { cause } = error
  const because =
    cause === undefined || cause === null || depth === deepest ? '' : `; cause: ${describe(cause, depth + 1)}`
  const text = message(error, depth)
  return `${error.name}${text === '' ? '' : `: ${text}`}${code(error)}${because}`
}

function message(error: Error, depth: number): string {
  const gathered: unknown = 'errors' in error && depth < deepest ? error.errors : undefined
  return Array.isArray(gathered) && gathered.length > 0
    ? [error.message, ...gathered.slice(0, deepest).map((each: unknown) => describe(each, depth + 1))]
        .filter((text) => text !== '')
        .join('; ')
    : error.message
}

function code(error: Error): string {
  // The number of a DOMException says what its name says, and was retired.
  const known: unknown = 'code' in error && !(error instanceof DOMException) ? error.code : undefined
  return (typeof known === 'string' || typeof known === 'number') && !error.message.includes(String(known))
    ? ` (${known})`
    : ''
}

function describeObject(thrown: object): string {
  return 'message' in thrown && typeof thrown.message === 'string' ? thrown.message : JSON.stringify(thrown)
}
