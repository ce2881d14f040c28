import { Router } from 'express'
import { HttpError } from 'upkeep'

const allow = 'GET, HEAD, OPTIONS'

/** Redirects from `/` to the list of hooks. */
export const home = Router({ strict: true })
home
  .route('/')
  .get((_request, response) => response.redirect(303, '/hooks'))
  .options((_request, response) => {
    response.writeHead(204, { Allow: allow }).end()
  })
  .all((request) => {
    throw new HttpError(405, `Method ${request.method} not allowed; use GET.`, { headers: { Allow: allow } })
  })
