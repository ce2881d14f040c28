import Negotiator from 'negotiator'
import { firstMembers } from '../fields/list.ts'
import type { MessageHeaders } from '../message.ts'
import { headerText } from './header-text.ts'

/**
 * What the client accepts: the query parameter `accept` with the value of the header, which it overrides, or the
 * header. `undefined` when it accepts anything.
 */
export function acceptOf(headers: MessageHeaders, query: URLSearchParams): string | undefined {
  const asked = query.getAll('accept').join(',')
  // A plus in a query stands for a space, and a media type holds the one but never the other: application/problem+json.
  const accept = asked === '' ? headerText(headers, 'accept') : asked.replaceAll(/([^\s,;=]) (?=[^\s,;=])/g, '$1+')
  // A list of nothing but empty elements is an empty list (RFC 9110 §5.6.1.2).
  return accept === undefined || /^[\s,]*$/.test(accept) ? undefined : accept
}

/** Further media ranges are ignored: each is compared with each offer. Browsers and scrapers send less than ten. */
const maxRanges = 32

/**
 * Which of the media types on offer serves the client best (RFC 9110 §12.5.1), or `undefined` when none will do. The
 * first of the offers is what a client gets that does not mind.
 */
export function preferredMediaType(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (accept === undefined || accept === '*/*') return offered[0]
  const inUtf8 = offered.map(sayUtf8)
  const preferred = new Negotiator({ headers: { accept: firstMembers(accept, maxRanges) } }).mediaType(inUtf8)
  return preferred === undefined ? undefined : offered[inUtf8.indexOf(preferred)]
}

/** What goes out is UTF-8, said or not: a client that asks for `application/json; charset=utf-8` gets it. */
function sayUtf8(mediaType: string): string {
  return /;\s*charset=/i.test(mediaType) ? mediaType : `${mediaType};charset=utf-8`
}
