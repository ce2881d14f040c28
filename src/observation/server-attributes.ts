import { pathOf } from '../http/conventions/target.ts'
import { isField } from '../tracing/received-context.ts'
import type { Attributes } from '../tracing/span.ts'
import type { ReceivedRequest } from './ended-response.ts'
import { isKnownMethod } from './request-timers.ts'

/**
 * What the span of a request tells from its start, by OpenTelemetry's conventions for HTTP servers. The query is not told,
 * which could hold a secret, and neither is who the client is.
 */
export function serverAttributes(request: ReceivedRequest): Attributes {
  const { method = 'GET', rawHeaders, socket } = request
  const isKnown = isKnownMethod(method)
  let host: string | undefined
  let authority: string | undefined
  let userAgent: string | undefined
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (isField(name, 'host')) host ??= rawHeaders[at + 1]
    else if (isField(name, 'user-agent')) userAgent ??= rawHeaders[at + 1]
    else if (isField(name, ':authority')) authority ??= rawHeaders[at + 1]
  }
  const server = host ?? authority ?? ''
  const colon = portColonOf(server)
  return {
    'http.request.method': isKnown ? method : '_OTHER',
    'http.request.method_original': isKnown ? undefined : method,
    // Of a request that was destroyed there is no socket, whatever its type says.
    'url.scheme': socket !== undefined && 'encrypted' in socket ? 'https' : 'http',
    'url.path': pathOf(targetOf(request)),
    'server.address': server === '' ? undefined : colon === -1 ? server : server.slice(0, colon),
    'server.port': colon === -1 ? undefined : Number(server.slice(colon + 1)),
    'user_agent.original': userAgent,
  }
}

/** The target that was asked for. */
export function targetOf({ originalUrl, url = '' }: ReceivedRequest): string {
  return originalUrl ?? url
}

/** Where the port begins in a host, `-1` where it has none; an address of IPv6 has colons of its own. */
function portColonOf(host: string): number {
  const colon = host.lastIndexOf(':')
  if (colon === -1 || colon < host.indexOf(']')) return -1
  const port = Number(host.slice(colon + 1))
  return port > 0 && port < 65_536 ? colon : -1
}
