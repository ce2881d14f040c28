import { HttpError } from '../errors/http-error.ts'
import type { EntityTag } from '../fields/entity-tag.ts'
import { evaluatePreconditions, isConditional } from './conventions/preconditions.ts'
import { type Representation, tagContent } from './representation.ts'
import type { Call, Resource } from './resource.ts'

const failed = 'The resource is not in the state that the request demands.'

/**
 * Whether the client's copy of what was read still holds.
 *
 * @throws HttpError 412 when it demands another state than the resource has.
 */
export function isCopyFresh(
  { request: { method, headers } }: Call,
  { status = 200, lastModified, caching }: Representation,
  entityTag: EntityTag | undefined,
): boolean {
  // Preconditions count only where the answer would be a success without them (RFC 9110 §13.2.1).
  if (status >= 300 || !isConditional(headers)) return false
  const outcome = evaluatePreconditions(method, headers, {
    entityTags: entityTag === undefined ? [] : [entityTag],
    lastModified,
  })
  if (outcome === 'failed') throw new HttpError(412, failed)
  // Nobody has a copy of what must not be stored: `If-None-Match: *` gets it all the same.
  return outcome === 'not-modified' && caching !== 'no-store'
}

/**
 * Holds a change back until its preconditions are met. Each form of the current representation counts: the client has
 * read one of them.
 *
 * @throws HttpError 412 (RFC 9110 §13.2.2).
 */
export async function demandPreconditions(resource: Resource, call: Call): Promise<void> {
  const { method, headers } = call.request
  if (!isConditional(headers)) return
  const current = await resource.get?.(call)
  const validators = current && {
    entityTags: current.offers.flatMap((offer) => tagContent(current, offer, offer.render(undefined)) ?? []),
    lastModified: current.lastModified,
  }
  if (evaluatePreconditions(method, headers, validators) === 'failed') throw new HttpError(412, failed)
}
