import { hideCredentials } from './redaction.ts'

/** A chain of causes is followed so far and no further, for it may be a circle; so are gathered errors. */
const maxDepth = 5

const longest = 4_000

/**
 * What went wrong, in one line for an operator: `<name>: <message>` of an error, with its code, the errors it gathers
 * and its causes, and without credentials. Takes whatever was thrown and never throws.
 */
export function describeError(error: unknown): string {
  try {
    const line = onOneLine(describe(error, 0))
    return line.length <= longest ? line : `${line.slice(0, longest)}…`
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
  const gathered = gatheredBy(error, depth).map((each) => describe(each, depth + 1))
  const { cause } = error
  const because =
    cause === undefined || cause === null || depth === maxDepth ? [] : [`cause: ${describe(cause, depth + 1)}`]
  const code = codeOf(error)
  const message = error.message === '' ? [] : [hideCredentials(error.message) + code]
  const told = [...message, ...gathered, ...because].join('; ')
  return `${error.name}${error.message === '' ? code : ''}${told === '' ? '' : `: ${told}`}`
}

/** Those of an `AggregateError`, whose own message is often empty: the attempts to reach each address of a name. */
function gatheredBy(error: Error, depth: number): readonly unknown[] {
  const gathered: unknown = 'errors' in error && depth < maxDepth ? error.errors : undefined
  return Array.isArray(gathered) ? gathered.slice(0, maxDepth) : []
}

function codeOf(error: Error): string {
  // The number of a DOMException says what its name says, and was retired.
  const code: unknown = 'code' in error && !(error instanceof DOMException) ? error.code : undefined
  const isKnown = typeof code === 'string' || typeof code === 'number'
  return isKnown && !error.message.includes(String(code)) ? ` (${code})` : ''
}

function describeObject(thrown: object): string {
  return 'message' in thrown && typeof thrown.message === 'string' ? thrown.message : JSON.stringify(thrown)
}
