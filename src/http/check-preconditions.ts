import { evaluatePreconditions, guards, isConditional, type Validators } from './conventions/preconditions.ts'
import { HttpError } from './errors/http-error.ts'
import type { EntityTag } from './fields/entity-tag.ts'
import { isEmptyResponse, type Representation, tagContent } from './representation.ts'
import type { Call, HandlerResult, PreconditionPolicy, Resource } from './resource.ts'

const failed = 'Precondition failed.'

/**
 * Whether the client's copy of a representation is fresh.
 *
 * @throws HttpError 412 if a precondition fails.
 */
export function isCopyFresh(
  { request: { method, headers } }: Call,
  { status = 200, lastModified, caching }: Representation,
  entityTag: EntityTag | undefined,
): boolean {
  // Preconditions are ignored where the response would not be a success without them (RFC 9110 §13.2.1).
  if (status >= 300 || !isConditional(headers)) return false
  const outcome = evaluatePreconditions(method, headers, {
    entityTags: entityTag === undefined ? [] : [entityTag],
    lastModified,
  })
  if (outcome === 'failed') throw new HttpError(412, failed)
  // There is no copy of what must not be stored, even for `If-None-Match: *`.
  return outcome === 'not-modified' && caching !== 'no-store'
}

/**
 * Checks the preconditions of a change. Every form of the current representation is considered: the client has read one
 * of them. If there is nothing to change, preconditions are ignored (RFC 9110 §13.2.1), and the response is a 404.
 *
 * @throws HttpError 404, 412 (RFC 9110 §13.2.2), 428 (RFC 6585 §3), 409.
 */
export async function requirePreconditions(resource: Resource, call: Call): Promise<void> {
  const { method, headers } = call.request
  const guard = guardOf(resource, method)
  const conditional = isConditional(headers)
  if (!conditional && guard === 'none') return
  const current = validatorsOf(await resource.get?.(call))
  if (current === undefined && !creates(resource, method)) throw new HttpError(404, 'Resource not found.')
  if (conditional && evaluatePreconditions(method, headers, current) === 'failed') throw new HttpError(412, failed)
  if (guard === 'none' || guards(headers, current)) return
  if (guard === 'always') throw preconditionRequired()
  if (current !== undefined) {
    throw new HttpError(409, 'The resource exists; use If-Match to replace it.')
  }
}

/** Whether a method may create the resource. Without `get` it is unknown whether the resource exists. */
function creates({ get, inserts = true }: Resource, method: string): boolean {
  return get === undefined || method === 'POST' || (method === 'PUT' && inserts)
}

function guardOf({ guard = 'none' }: Resource, method: string): PreconditionPolicy {
  if (method === 'POST') return 'none'
  return typeof guard === 'function' ? guard(method) : guard
}

function preconditionRequired(): HttpError {
  return new HttpError(428, 'Precondition required: If-Match or If-Unmodified-Since.')
}

/** Returns the validators of a resource; `undefined` if it does not exist. A response without content has none. */
function validatorsOf(current: HandlerResult): Validators | undefined {
  if (current === undefined) return undefined
  if (isEmptyResponse(current)) return { entityTags: [] }
  return {
    entityTags: current.offers.flatMap((offer) => tagContent(current, offer, offer.render(undefined)) ?? []),
    lastModified: current.lastModified,
  }
}
