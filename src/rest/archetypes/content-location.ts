import type { Caching } from '../../http/conventions/caching.ts'

/** Query parameters by which content is another than that of the address alone. */
const shaping: readonly string[] = ['fields', 'embed', 'accept']

/**
 * Caching of an answer that has no validators: to PUT, since what was sent may have been changed (RFC 9110 §9.3.4), and of
 * content that the query has shaped, whose entity tag is not that of the new resource (§15.3.2).
 */
export const unvalidated: { readonly caching: Caching } = { caching: 'no-store' }

/** Whether the query asks for other content than that of the address alone. */
export function isShaped(query: URLSearchParams): boolean {
  return shaping.some((name) => query.has(name))
}

/** The address at which GET has the content of an answer (RFC 9110 §8.7): with the part of the query that shapes it. */
export function contentLocation(address: string, query: URLSearchParams): string {
  const shape = new URLSearchParams([...query].filter(([name]) => shaping.includes(name)))
  return shape.size === 0 ? address : `${address}?${shape}`
}
