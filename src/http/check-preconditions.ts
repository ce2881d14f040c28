import { evaluatePreconditions, guards, isConditional, type Validators } from './conventions/preconditions.ts'
import { HttpError } from './errors/http-error.ts'
import type { EntityTag } from './fields/entity-tag.ts'
import { isBare, type Representation, tagContent } from './representation.ts'
import type { Call, Guard, Handled, Resource } from './resource.ts'

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
 * Holds a change back until its preconditions are met, and where one is demanded, until there is one. Each form of the
 * current representation counts: the client has read one of them. Preconditions are ignored where there is nothing to
 * change, since the response without them would be a 404 (RFC 9110 §13.2.1).
 *
 * @throws HttpError 404, 412 (RFC 9110 §13.2.2), 428 (RFC 6585 §3), 409.
 */
export async function demandPreconditions(resource: Resource, call: Call): Promise<void> {
  const { method, headers } = call.request
  const guard = guardOf(resource, method)
  const conditional = isConditional(headers)
  if (!conditional && guard === 'none') return
  const current = validatorsOf(await resource.get?.(call))
  if (current === undefined && !creates(resource, method)) throw new HttpError(404, 'There is nothing at this address.')
  if (conditional && evaluatePreconditions(method, headers, current) === 'failed') throw new HttpError(412, failed)
  if (guard === 'none' || guards(headers, current)) return
  if (guard === 'always') throw unguarded()
  if (current !== undefined) {
    throw new HttpError(409, 'There is something at this address already: say by If-Match which version to replace.')
  }
}

/** POST is for what its resource makes of it; without a `get` nobody knows what there is. */
function creates({ get, inserts = true }: Resource, method: string): boolean {
  return get === undefined || method === 'POST' || (method === 'PUT' && inserts)
}

function guardOf({ guard = 'none' }: Resource, method: string): Guard {
  if (method === 'POST') return 'none'
  return typeof guard === 'function' ? guard(method) : guard
}

function unguarded(): HttpError {
  return new HttpError(428, 'Say by If-Match or If-Unmodified-Since which version is to be changed.')
}

/** `undefined` where there is nothing; what only refers to another address is there, and has no version. */
function validatorsOf(current: Handled): Validators | undefined {
  if (current === undefined) return undefined
  if (isBare(current)) return { entityTags: [] }
  return {
    entityTags: current.offers.flatMap((offer) => tagContent(current, offer, offer.render(undefined)) ?? []),
    lastModified: current.lastModified,
  }
}
