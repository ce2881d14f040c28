import type { MessageHeaders } from '../message.ts'
import { headerText } from './header-text.ts'

/**
 * Whether a page of another origin made the browser send a request, with whatever credentials the browser has for this
 * one. `Sec-Fetch-Site` takes precedence: no page can set it, and a proxy that rewrites `Host` leaves it alone. Where
 * it is missing, or is `same-site`, the host of `Origin` is compared with `Host`. Programs that are no browsers send
 * neither.
 *
 * Source: Fetch Metadata Request Headers §2.4; RFC 6454 §7.
 */
export function isCrossSite(headers: MessageHeaders): boolean {
  const site = headerText(headers, 'sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return false
  if (site === 'cross-site') return true
  const origin = headerText(headers, 'origin')
  if (origin === undefined) return false
  // The scheme is not compared: TLS may end at a proxy.
  const [, host] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? []
  const own = headerText(headers, 'host') ?? headerText(headers, ':authority')
  return host === undefined || host.toLowerCase() !== own?.toLowerCase()
}
