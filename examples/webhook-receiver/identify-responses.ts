import type { IncomingMessage, ServerResponse } from 'node:http'
import { requestId } from 'upkeep/ids'

/**
 * Gives every response an `X-Request-Id`, the caller's own where it is one that can be repeated (1 to 128 visible ASCII
 * characters), and an `X-Version-Id`.
 */
export function identifyResponses(versionId: string): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    response.setHeader('X-Request-Id', requestId(request.headers['x-request-id']))
    response.setHeader('X-Version-Id', versionId)
  }
}
