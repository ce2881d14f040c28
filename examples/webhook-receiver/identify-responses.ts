import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'

/**
 * Gives every response an `X-Request-Id`, the caller's own where it is one that can be repeated (1 to 128 visible ASCII
 * characters), and an `X-Version-Id`.
 */
export function identifyResponses(versionId: string): RequestHandler {
  return (request, response, next) => {
    const callers = request.headers['x-request-id']
    const wellFormed = typeof callers === 'string' && /^[\x21-\x7e]{1,128}$/.test(callers)
    response.setHeader('X-Request-Id', wellFormed ? callers : randomUUID())
    response.setHeader('X-Version-Id', versionId)
    next()
  }
}
