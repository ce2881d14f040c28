import type { RequestHandler } from 'express'
import { requestId } from 'upkeep'

/**
 * Gives every response an `X-Request-Id`, the caller's own where it is one that can be repeated (1 to 128 visible ASCII
 * characters), and an `X-Version-Id`.
 */
export function identifyResponses(versionId: string): RequestHandler {
  return (request, response, next) => {
    response.setHeader('X-Request-Id', requestId(request.headers['x-request-id']))
    response.setHeader('X-Version-Id', versionId)
    next()
  }
}
