import { formatHttpDate } from '../fields/http-date.ts'

/**
 * How long a response may be reused: not stored at all (`no-store`), stored but revalidated before each use
 * (`no-cache`), or reused for a number of seconds.
 */
export type Caching = 'no-store' | 'no-cache' | { readonly maxAgeSeconds: number }

/**
 * Returns the fields for HTTP/1.1 and HTTP/1.0 caches (RFC 9111 §5). `now` is in milliseconds since the epoch. A
 * response that is not public must not be stored by shared caches (§5.2.2.7).
 */
export function cachingHeaders(caching: Caching, now: number, isPrivate = false): Readonly<Record<string, string>> {
  const privately = isPrivate && caching !== 'no-store' ? ', private' : ''
  if (typeof caching === 'string') return { 'Cache-Control': caching + privately, Pragma: 'no-cache', Expires: '0' }
  const { maxAgeSeconds } = caching
  return {
    'Cache-Control': `max-age=${maxAgeSeconds}${privately}`,
    Expires: formatHttpDate(now + maxAgeSeconds * 1000),
  }
}
