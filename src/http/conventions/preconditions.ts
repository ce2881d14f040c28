import { type EntityTag, matchStrongly, matchWeakly, parseEntityTags } from '../fields/entity-tag.ts'
import { parseHttpDate } from '../fields/http-date.ts'
import type { MessageHeaders } from '../message.ts'
import { headerText } from './header-text.ts'

/** The validators of the current version of a resource; an absent one is not available. */
export interface Validators {
  /** One per form of the resource. */
  readonly entityTags: readonly EntityTag[]
  /** Milliseconds since the epoch. */
  readonly lastModified?: number | undefined
}

/** Whether a request contains a precondition. */
export function isConditional(headers: MessageHeaders): boolean {
  return (
    headers['if-match'] !== undefined ||
    headers['if-none-match'] !== undefined ||
    headers['if-modified-since'] !== undefined ||
    headers['if-unmodified-since'] !== undefined
  )
}

/**
 * Whether a request names the state of the resource that it intends to change. A date that is invalid, or cannot be
 * compared, does not (RFC 9110 §13.1.4); nor does `If-None-Match` with tags, which only excludes states.
 */
export function guards(headers: MessageHeaders, current: Validators | undefined): boolean {
  return (
    headers['if-match'] !== undefined ||
    headerText(headers, 'if-none-match')?.trim() === '*' ||
    isModifiedSince(headerText(headers, 'if-unmodified-since'), current) !== undefined
  )
}

/** The outcome: `proceed` with the method, respond with 304 (`not-modified`), or with 412 (`failed`). */
type PreconditionOutcome = 'proceed' | 'not-modified' | 'failed'

/**
 * Evaluates the preconditions of a request in their order of precedence (RFC 9110 §13.2.2). `current` contains the
 * validators of the resource, or is `undefined` if it does not exist.
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

/**
 * Returns `undefined` if the dates cannot be compared: the field is missing or invalid, or the resource has no date.
 */
function isModifiedSince(field: string | undefined, current: Validators | undefined): boolean | undefined {
  const since = field === undefined ? undefined : parseHttpDate(field)
  if (since === undefined || current?.lastModified === undefined) return undefined
  return Math.floor(current.lastModified / 1000) * 1000 > since
}
