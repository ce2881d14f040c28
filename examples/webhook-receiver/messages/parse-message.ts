import { HttpError } from 'upkeep'

/** What a sender posts. */
export interface Message {
  /** Any text with which both Unicode and PostgreSQL can do something: no NUL, no half of a surrogate pair. */
  readonly text: string
}

/**
 * The message that a JSON value is. Members other than `text` are passed over.
 *
 * @throws HttpError 400 that names the field and says what is wrong with it.
 */
export function parseMessage(value: unknown): Message {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(400, `The body must be a JSON object with a string "text", not ${nameKind(value)}.`)
  }
  const text: unknown = 'text' in value ? value.text : undefined
  if (text === undefined) throw new HttpError(400, 'The field "text" is missing: it must be a string.')
  if (typeof text !== 'string') throw new HttpError(400, `The field "text" must be a string, not ${nameKind(text)}.`)
  const nul = text.indexOf('\0')
  if (nul !== -1) throw new HttpError(400, `The field "text" holds U+0000 at ${nul}, which cannot be stored.`)
  // With the flag u, a surrogate matches only where it stands alone.
  const half = text.search(/\p{Surrogate}/u)
  if (half !== -1) throw new HttpError(400, `The field "text" holds half of a surrogate pair at ${half}.`)
  return { text }
}

function nameKind(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
