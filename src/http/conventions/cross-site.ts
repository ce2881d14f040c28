import { HttpError } from '../errors/http-error.ts'
import type { MessageHeaders } from '../message.ts'
import { headerText } from './header-text.ts'

/**
 * Whether a page of another origin caused a browser to send a request, with any credentials the browser has for this
 * one. `Sec-Fetch-Site` takes precedence: a page cannot set it, and proxies that rewrite `Host` do not change it. If it
 * is missing or `same-site`, the host of `Origin` is compared with `Host`. Clients other than browsers send neither. A
 * page of the same site, such as another port of the host, may link to this origin, but requests nothing else without
 * an `Origin`.
 *
 * Source: Fetch Metadata Request Headers §2.1, §2.4; RFC 6454 §7.
 */
export function isCrossSite(headers: MessageHeaders): boolean {
  const site = headerText(headers, 'sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return false
  if (site === 'cross-site') return true
  const origin = headerText(headers, 'origin')
  if (origin === undefined) return site === 'same-site' && headerText(headers, 'sec-fetch-dest') !== 'document'
  // The scheme is not compared: TLS may end at a proxy.
  const [, host] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? []
  const own = headerText(headers, 'host') ?? headerText(headers, ':authority')
  return host === undefined || host.toLowerCase() !== own?.toLowerCase()
}

/**
 * Refuses a request that a page of another origin caused: to change something, or for diagnostics, which cost time.
 *
 * @throws HttpError 403.
 */
export function requireSameSite(headers: MessageHeaders): void {
  if (isCrossSite(headers)) throw new HttpError(403, 'Cross-site request refused.')
}
