import { firstMembers } from '../fields/list.ts'
import type { MessageHeaders } from '../message.ts'
import { headerText } from './header-text.ts'
import { preferredOffer } from './preferred-offer.ts'

/**
 * Returns what the client accepts: the query parameter `accept`, which takes precedence, or the header field.
 * `undefined` if it accepts anything.
 */
export function acceptOf(headers: MessageHeaders, query: URLSearchParams): string | undefined {
  const asked = query.getAll('accept').join(',')
  // A plus in a query means a space. Media types may contain a plus but no space: application/problem+json.
  const accept = asked === '' ? headerText(headers, 'accept') : asked.replaceAll(/([^\s,;=]) (?=[^\s,;=])/g, '$1+')
  // A list of nothing but empty elements is an empty list (RFC 9110 §5.6.1.2).
  return accept === undefined || /^[\s,]*$/.test(accept) ? undefined : accept
}

/**
 * Media ranges beyond this number are ignored: each is compared with each offer. Browsers and scrapers send fewer than
 * ten.
 */
const maxRanges = 32

/**
 * Returns the offered media type that the client prefers (RFC 9110 §12.5.1), or `undefined` if none is acceptable. Of
 * equally preferred ones, the first offer is returned.
 */
export function preferredMediaType(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (accept === undefined || accept === '*/*') return offered[0]
  const inUtf8 = offered.map(sayUtf8)
  const preferred = preferredOffer(firstMembers(accept, maxRanges), inUtf8)
  return preferred === undefined ? undefined : offered[inUtf8.indexOf(preferred)]
}

/** Responses are always UTF-8, so a client that requests `application/json; charset=utf-8` receives it. */
function sayUtf8(mediaType: string): string {
  return /;\s*charset=/i.test(mediaType) ? mediaType : `${mediaType};charset=utf-8`
}
