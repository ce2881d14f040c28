import { isPublic } from './authorize.ts'
import { requirePreconditions } from './check-preconditions.ts'
import { parseFieldSelection } from './conventions/field-selection.ts'
import { acceptOf } from './conventions/negotiate.ts'
import type { ExchangeContext } from './exchange-context.ts'
import type { ManagementResponse } from './message.ts'
import { respondWithRange } from './range-response.ts'
import { chooseOffer, isEmptyResponse, isRanged, isStream, tagContent } from './representation.ts'
import type { Resource, ResourceHandler } from './resource.ts'
import type { ResourceCall } from './resource-call.ts'
import { contentResponse, emptyResponse, noContentResponse } from './response.ts'
import { streamResponse } from './stream-response.ts'

/**
 * Performs POST, PUT, PATCH or DELETE after its preconditions have been checked, and responds with the result.
 *
 * @throws HttpError what `requirePreconditions` and the operation throw.
 */
export async function write(
  perform: ResourceHandler,
  resource: Resource,
  call: ResourceCall,
  path: string,
  context: ExchangeContext,
): Promise<ManagementResponse> {
  const { request, query } = call
  const selection = parseFieldSelection(query)
  await requirePreconditions(resource, call)
  const representation = await perform(call)
  if (representation === undefined) return noContentResponse()
  if (isEmptyResponse(representation)) return emptyResponse(representation)
  // The change is made: a client that accepts no form of the response receives the preferred one (RFC 9110 §12.4.1).
  const offer = chooseOffer(representation, acceptOf(request.headers, query)) ?? representation.offers[0]
  const content = offer.render(selection)
  const entityTag = tagContent(representation, offer, content)
  const isPrivate = !isPublic(resource.access, request.method)
  const rendered = { representation, isPrivate, offer, content, entityTag, coding: 'identity' as const }
  if (isRanged(content)) return respondWithRange(content, rendered, call, path, context)
  if (isStream(content)) return streamResponse(content, rendered, call, path, context)
  return contentResponse(request.method, rendered, context.clock.wallTime())
}
