import { pathOf } from '../http/conventions/target.ts'
import { lineOf } from '../tracing/received-context.ts'
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
  const host = lineOf(rawHeaders, 'host') ?? lineOf(rawHeaders, ':authority') ?? ''
  const colon = portColonOf(host)
  return {
    'http.request.method': isKnown ? method : '_OTHER',
    'http.request.method_original': isKnown ? undefined : method,
    // Of a request that was destroyed there is no socket, whatever its type says.
    'url.scheme': socket !== undefined && 'encrypted' in socket ? 'https' : 'http',
    'url.path': pathOf(targetOf(request)),
    'server.address': host === '' ? undefined : colon === -1 ? host : host.slice(0, colon),
    'server.port': colon === -1 ? undefined : Number(host.slice(colon + 1)),
    'user_agent.original': lineOf(rawHeaders, 'user-agent'),
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
