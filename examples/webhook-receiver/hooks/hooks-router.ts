import { type Request, type Response, Router } from 'express'
import { HttpError } from 'upkeep'

const allow = 'OPTIONS, POST'

/** `POST /<hook_key>` stores a message and acknowledges it: whoever is told `ok` will find it in the database. */
export function hooksRouter(receive: (key: string, request: Request, response: Response) => Promise<void>): Router {
  const router = Router({ caseSensitive: true, strict: true })
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
  return router
}
