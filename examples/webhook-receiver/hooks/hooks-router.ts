import { type Request, type Response, Router } from 'express'
import { HttpError } from 'upkeep'
import { isId } from './hook-id.ts'

const allow = 'OPTIONS, POST'

/**
 * `POST /<hook_key>` stores a message and acknowledges it: whoever is told `ok` will find it in the database. What stands
 * below the id of a hook instead is passed on: it is for operators.
 */
export function hooksRouter(receive: (key: string, request: Request, response: Response) => Promise<void>): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.use('/:key', (request, _response, next) => {
    next(isId(request.params.key) ? 'router' : undefined)
  })
  router
    .route('/:key')
    .post(async (request, response) => {
      await receive(request.params.key, request, response)
      response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 2 }).end('ok')
    })
    .options((_request, response) => {
      response.writeHead(204, { Allow: allow }).end()
    })
    .all((request) => {
      throw new HttpError(405, `A hook takes POST, not ${request.method}.`, { headers: { Allow: allow } })
    })
  router.use('/:key', () => {
    throw new HttpError(404, 'There is nothing at this address.')
  })
  return router
}
