import { type EntityTag, matchStrongly, parseEntityTag } from '../fields/entity-tag.ts'
import { parseHttpDate } from '../fields/http-date.ts'
import { type ByteRange, parseRange } from '../fields/range.ts'
import type { MessageHeaders } from '../message.ts'
import { headerText } from './header-text.ts'

/** The bytes of a representation that are sent, both inclusive. */
interface ContentRange {
  readonly first: number
  readonly last: number
}

/** The content that a request may ask a part of. */
export interface RangedState {
  /** In bytes. */
  readonly size: number
  readonly entityTag: EntityTag | undefined
  /** Milliseconds since the epoch. */
  readonly lastModified: number | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * Returns the part that a request selects (RFC 9110 §14.2), or `'unsatisfiable'` if the content has no such part.
 * Returns `'whole'` if the field `Range` is missing or ignored. It is ignored for methods other than GET, if it is
 * invalid, has several ranges or another unit than bytes, or if `If-Range` names another version.
 */
export function selectRange(
  method: string,
  headers: MessageHeaders,
  state: RangedState,
): ContentRange | 'whole' | 'unsatisfiable' {
  const field = method === 'GET' ? headerText(headers, 'range') : undefined
  if (field === undefined || !isSameVersion(headerText(headers, 'if-range'), state)) return 'whole'
  const [range, other] = parseRange(field) ?? []
  // A client that requests several ranges has to accept the whole content (RFC 9110 §15.3.7).
  if (range === undefined || other !== undefined) return 'whole'
  return withinSize(range, state.size) ?? 'unsatisfiable'
}

function withinSize(range: ByteRange, size: number): ContentRange | undefined {
  if (range.kind === 'suffix') {
    const length = Math.min(range.length, size)
    return length === 0 ? undefined : { first: size - length, last: size - 1 }
  }
  const { first, last = size - 1 } = range
  return first >= size ? undefined : { first, last: Math.min(last, size - 1) }
}

/**
 * Whether `If-Range` is missing or names the current version (RFC 9110 §13.1.5): by a strong entity tag, or by its
 * exact date if that is old enough to be a strong validator (§8.8.2.2).
 */
function isSameVersion(ifRange: string | undefined, { entityTag, lastModified, now }: RangedState): boolean {
  if (ifRange === undefined) return true
  const tag = parseEntityTag(ifRange)
  if (tag !== undefined) return entityTag !== undefined && matchStrongly(tag, entityTag)
  const date = parseHttpDate(ifRange)
  if (date === undefined || lastModified === undefined) return false
  const seconds = Math.floor(lastModified / 1_000) * 1_000
  return seconds === date && now - seconds >= strongAfter
}

/** A file that was modified a second ago may be modified again within that second. */
const strongAfter = 1_000

/** Returns a `Content-Range` value; `'unsatisfiable'` for that of a 416 (RFC 9110 §14.4). */
export function formatContentRange(range: ContentRange | 'unsatisfiable', size: number): string {
  return range === 'unsatisfiable' ? `bytes */${size}` : `bytes ${range.first}-${range.last}/${size}`
}
