import type { MaybePromise } from '../base/maybe-promise.ts'
import { isPublic } from './authorize.ts'
import { isCopyFresh } from './check-preconditions.ts'
import { preferredCoding } from './conventions/content-coding.ts'
import { parseFieldSelection } from './conventions/field-selection.ts'
import { acceptOf } from './conventions/negotiate.ts'
import { HttpError } from './errors/http-error.ts'
import type { ExchangeContext } from './exchange-context.ts'
import type { ManagementResponse } from './message.ts'
import { respondWithRange } from './range-response.ts'
import {
  chooseOffer,
  isEmptyResponse,
  isRanged,
  isStream,
  notAcceptable,
  type Representation,
  tagContent,
} from './representation.ts'
import type { HandlerResult, Resource } from './resource.ts'
import type { ResourceCall } from './resource-call.ts'
import { contentResponse, emptyResponse, notModifiedResponse } from './response.ts'
import { cachedResponse, cacheResponse } from './response-cache.ts'
import { streamResponse } from './stream-response.ts'

/**
 * Responds to GET or HEAD with the result of the resource.
 *
 * @throws HttpError 404, 406, or 412, or rejects if streamed content fails before its first chunk.
 */
export function respondToRead(
  result: HandlerResult,
  resource: Resource,
  call: ResourceCall,
  path: string,
  context: ExchangeContext,
): MaybePromise<ManagementResponse> {
  if (result === undefined) throw new HttpError(404, 'Resource not found.')
  if (isEmptyResponse(result)) return emptyResponse(result)
  return (
    cachedResponse(result, call.request) ??
    cacheResponse(result, call.request, respondWith(result, resource, call, path, context))
  )
}

function respondWith(
  representation: Representation,
  resource: Resource,
  call: ResourceCall,
  path: string,
  context: ExchangeContext,
): MaybePromise<ManagementResponse> {
  const { request, query } = call
  const offer = chooseOffer(representation, acceptOf(request.headers, query))
  if (offer === undefined) throw notAcceptable(representation)
  const content = offer.render(parseFieldSelection(query))
  const entityTag = tagContent(representation, offer, content)
  // Compression would hold back the chunks of endless content.
  const coding = isStream(content) && representation.isEndless !== true ? preferredCoding(request.headers) : 'identity'
  const isPrivate = !isPublic(resource.access, request.method)
  const rendered = { representation, isPrivate, offer, content, entityTag, coding }
  const now = context.clock.wallTime()
  if (isCopyFresh(call, representation, entityTag)) return notModifiedResponse(rendered, now)
  if (isRanged(content)) return respondWithRange(content, rendered, call, path, context)
  if (isStream(content) && request.method !== 'HEAD') return streamResponse(content, rendered, call, path, context)
  return contentResponse(request.method, rendered, now)
}
