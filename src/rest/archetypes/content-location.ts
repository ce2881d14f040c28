import type { Caching } from '../../http/conventions/caching.ts'

/** Query parameters that change the content of a response. */
const shaping: readonly string[] = ['fields', 'embed', 'accept']

/**
 * The caching of responses without validators. To PUT, since the stored representation may differ from the request (RFC
 * 9110 §9.3.4). And with content shaped by the query, whose entity tag is not that of the new resource (§15.3.2).
 */
export const unvalidated: { readonly caching: Caching } = { caching: 'no-store' }

/** Whether the query requests content other than the default. */
export function isShaped(query: URLSearchParams): boolean {
  return shaping.some((name) => query.has(name))
}

/** Returns the URL from which GET retrieves the content (RFC 9110 §8.7), with the part of the query that shapes it. */
export function contentLocation(address: string, query: URLSearchParams): string {
  const shape = new URLSearchParams([...query].filter(([name]) => shaping.includes(name)))
  return shape.size === 0 ? address : `${address}?${shape}`
}
