import { type EntityTag, matchStrongly, matchWeakly, parseEntityTags } from '../fields/entity-tag.ts'
import { parseHttpDate } from '../fields/http-date.ts'
import type { MessageHeaders } from '../message.ts'
import { headerText } from './header-text.ts'

/** What tells one version of a resource from the next; a validator that a resource does not have is absent. */
export interface Validators {
  /** One for each form that the resource can take. */
  readonly entityTags: readonly EntityTag[]
  /** Milliseconds since the epoch. */
  readonly lastModified?: number | undefined
}

/** Whether a request carries a precondition at all. */
export function isConditional(headers: MessageHeaders): boolean {
  return (
    headers['if-match'] !== undefined ||
    headers['if-none-match'] !== undefined ||
    headers['if-modified-since'] !== undefined ||
    headers['if-unmodified-since'] !== undefined
  )
}

/**
 * Whether a request says which state of the resource it is about to change. A date that is none, or that cannot be
 * compared, says nothing (RFC 9110 §13.1.4); neither does `If-None-Match` with tags, which only says which it is not.
 */
export function guards(headers: MessageHeaders, current: Validators | undefined): boolean {
  return (
    headers['if-match'] !== undefined ||
    headerText(headers, 'if-none-match')?.trim() === '*' ||
    isModifiedSince(headerText(headers, 'if-unmodified-since'), current) !== undefined
  )
}

/** `proceed` with the method, answer 304 `not-modified`, or 412 `failed`. */
type PreconditionOutcome = 'proceed' | 'not-modified' | 'failed'

/**
 * Evaluates a request's preconditions in their order of precedence (RFC 9110 §13.2.2). `current` is what the resource
 * has now, or `undefined` when there is nothing.
 */
export function evaluatePreconditions(
  method: string,
  headers: MessageHeaders,
  current: Validators | undefined,
): PreconditionOutcome {
  const ifMatch = headerText(headers, 'if-match')
  const ifNoneMatch = headerText(headers, 'if-none-match')
  const reads = method === 'GET' || method === 'HEAD'

  if (ifMatch !== undefined) {
    if (!matchesAny(ifMatch, current, matchStrongly)) return 'failed'
  } else if (isModifiedSince(headerText(headers, 'if-unmodified-since'), current) === true) {
    return 'failed'
  }

  if (ifNoneMatch !== undefined) {
    if (matchesAny(ifNoneMatch, current, matchWeakly)) return reads ? 'not-modified' : 'failed'
  } else if (reads && isModifiedSince(headerText(headers, 'if-modified-since'), current) === false) {
    return 'not-modified'
  }
  return 'proceed'
}

function matchesAny(
  field: string,
  current: Validators | undefined,
  match: (a: EntityTag, b: EntityTag) => boolean,
): boolean {
  if (current === undefined) return false
  const tags = parseEntityTags(field)
  return tags === '*' || tags.some((tag) => current.entityTags.some((own) => match(tag, own)))
}

/** `undefined` where the question cannot be put: no date, no valid one, or nothing known of the resource's own. */
function isModifiedSince(field: string | undefined, current: Validators | undefined): boolean | undefined {
  const since = field === undefined ? undefined : parseHttpDate(field)
  if (since === undefined || current?.lastModified === undefined) return undefined
  return Math.floor(current.lastModified / 1000) * 1000 > since
}
