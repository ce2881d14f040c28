import type { MaybePromise } from '../base/maybe-promise.ts'
import { headerText } from './conventions/header-text.ts'
import { isConditional } from './conventions/preconditions.ts'
import { hasQuery } from './conventions/target.ts'
import type { ManagementRequest, ManagementResponse } from './message.ts'
import type { Representation } from './representation.ts'

/** Clients may send any number of `Accept` values; in practice they send few. */
const maxResponses = 16

/** Returns the cached response to a request without a query and without preconditions. */
export function cachedResponse(
  { cachedResponses }: Representation,
  request: ManagementRequest,
): ManagementResponse | undefined {
  if (cachedResponses === undefined || !isPlain(request)) return undefined
  const response = cachedResponses.get(headerText(request.headers, 'accept'))
  return response === undefined || request.method === 'GET' ? response : { ...response, body: null }
}

/** Caches a response for requests with the same `Accept`, and returns it. */
export function cacheResponse(
  { cachedResponses, caching }: Representation,
  request: ManagementRequest,
  response: MaybePromise<ManagementResponse>,
): MaybePromise<ManagementResponse> {
  // With a maximum age the response contains a date that changes.
  if (cachedResponses !== undefined && cachedResponses.size < maxResponses && typeof caching === 'string') {
    const isCacheable = !(response instanceof Promise) && typeof response.body === 'string'
    if (isCacheable && request.method === 'GET' && isPlain(request)) {
      cachedResponses.set(headerText(request.headers, 'accept'), response)
    }
  }
  return response
}

function isPlain({ target, headers }: ManagementRequest): boolean {
  return !hasQuery(target) && !isConditional(headers)
}
