import { formatHttpDate } from '../fields/http-date.ts'

/**
 * How long an answer may be used again: not at all, and nobody may keep it (`no-store`); only after asking whether it
 * still holds (`no-cache`); or for so many seconds.
 */
export type Caching = 'no-store' | 'no-cache' | { readonly maxAgeSeconds: number }

/**
 * The fields that say so to caches of every age (RFC 9111 §5). `now` is in milliseconds since the epoch. What is not
 * for everybody no cache may keep that is for several (§5.2.2.7).
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
