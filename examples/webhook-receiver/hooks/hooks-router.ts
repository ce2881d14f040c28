import { Router } from 'express'
import { HttpError } from 'upkeep'
import { isId } from './hook-id.ts'
import type { Receive } from './receive.ts'
import { holdsKey } from './redact-keys.ts'
import { acknowledge } from './webhook.ts'

const allow = 'OPTIONS, POST'

/**
 * Returns the router below `/hooks`: `POST /<hook_key>` stores a message and acknowledges it. What is below the id of a
 * hook is passed on, since it is for operators, and so is what holds no key: their error documents repeat the path.
 */
export function hooksRouter(receive: Receive): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.use('/:key', (request, _response, next) => {
    next(isId(request.params.key) ? 'router' : undefined)
  })
  router
    .route('/:key')
    .post((request, response) => acknowledge(receive, request.params.key, request, response))
    .all((request, _response, next) => next(holdsKey(request.url) ? undefined : 'router'))
    .options((_request, response) => {
      response.writeHead(204, { Allow: allow }).end()
    })
    .all((request) => {
      throw new HttpError(405, `Method ${request.method} not allowed; use POST.`, { headers: { Allow: allow } })
    })
  router.use('/:key', () => {
    throw new HttpError(404, 'Resource not found.')
  })
  return router
}
