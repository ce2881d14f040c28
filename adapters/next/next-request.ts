import type { ServerResponse } from 'node:http'
import type { ManagementRequest } from '../../src/entries/adapter.ts'
import { toManagementRequest as fromFetch } from '../fetch.ts'
import { toManagementRequest as fromNode } from '../node.ts'

/**
 * Returns the request of a route handler in the form that the core handles. A `Request` of Next.js has the host and the
 * port that the server was started with, resolved dots and joined fields; the request of node:http, where there is one,
 * is as received. Its content is read through the `Request`, because Next.js may have copied it.
 */
export function toManagementRequest(request: Request, response: ServerResponse | undefined): ManagementRequest {
  const received = fromFetch(request)
  if (response === undefined) return withoutCompression(received)
  const original = fromNode(response.req, { response })
  return {
    method: received.method,
    target: original.target,
    headers: original.headers,
    base: original.base,
    requestId: original.requestId,
    traceId: original.traceId,
    signal: original.signal,
    extendIdleTimeout: (milliseconds) => original.extendIdleTimeout?.(milliseconds),
    body: () => received.body(),
  }
}

/** Next.js compresses by itself, and would drop the `Content-Encoding` of a response that is compressed already. */
function withoutCompression(request: ManagementRequest): ManagementRequest {
  const { method, target, base, signal } = request
  return {
    method,
    target,
    base,
    signal,
    headers: { ...request.headers, 'accept-encoding': 'identity' },
    body: () => request.body(),
  }
}
