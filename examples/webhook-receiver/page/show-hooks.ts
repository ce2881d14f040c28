import type { RequestHandler } from 'express'
import type { Authorize } from 'upkeep'
import { toManagementRequest } from 'upkeep/node'
import type { Query } from '../database/database.ts'
import { createManagedHooks } from '../hooks/managed-hooks.ts'
import { hooksPage, maxShown } from './hooks-page.ts'

/** Shows hooks to browsers. A request that prefers JSON, or is not authorized, is passed on to the resource. */
export function showHooks(query: Query, authorize: Authorize): RequestHandler {
  const hooks = createManagedHooks(query)
  return async (request, response, next) => {
    response.vary('Accept')
    if (request.accepts(['application/json', 'text/html']) !== 'text/html') return next()
    if ((await authorize(toManagementRequest(request, { response }))) === undefined) return next()
    const [shown, total] = await Promise.all([hooks.list({}, { size: maxShown, startIndex: 0 }), hooks.count({})])
    response.set('Cache-Control', 'no-store').type('html').send(hooksPage(shown, total))
  }
}
