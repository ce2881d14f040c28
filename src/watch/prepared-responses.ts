import { cachingHeaders } from '../http/conventions/caching.ts'
import type { ManagementResponse } from '../http/message.ts'
import type { Refuse } from '../lifecycle/client-error.ts'
import type { WatchdogTask } from './thread-protocol.ts'

/** The header fields of responses about the liveness. */
export const healthHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'application/json',
  ...cachingHeaders('no-store', 0),
}

/** Creates the responses that do not change: the thread knows no rule of HTTP. */
export function prepareResponses(refuse: Refuse): WatchdogTask['responses'] {
  const allow = { Allow: 'GET, HEAD, OPTIONS' }
  return {
    alive: healthResponse(200, 'UP'),
    broken: healthResponse(503, 'DOWN'),
    options: { status: 204, headers: allow, body: null },
    notFound: refuse(404, 'Resource not found.'),
    notAllowed: refuse(405, 'Method not allowed; use GET, HEAD or OPTIONS.', allow),
  }
}

function healthResponse(status: number, health: string): ManagementResponse {
  const body = JSON.stringify({ status: health })
  return { status, headers: { ...healthHeaders, 'Content-Length': String(body.length) }, body }
}
