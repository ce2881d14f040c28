import { Router } from 'express'
import { HttpError } from 'upkeep'
import type { Query } from '../database/database.ts'
import { storeMessage } from '../messages/messages.ts'
import { readMessage } from '../messages/read-message.ts'
import { findHook } from './hooks.ts'

const allow = 'OPTIONS, POST'

/** `POST /<hook_key>` stores a message and acknowledges it: whoever is told `ok` will find it in the database. */
export function hooksRouter(query: Query): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router
    .route('/:key')
    .post(async (request, response) => {
      const hook = await findHook(query, request.params.key)
      if (hook === undefined) throw new HttpError(404, 'There is no hook with this key.')
      const message = await readMessage(request, response)
      await storeMessage(query, hook, message)
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
