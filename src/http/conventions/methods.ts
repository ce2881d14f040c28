import { HttpError } from '../errors/http-error.ts'
import type { Handling, Resource } from '../resource.ts'

/** What a request wants: to read, to change something, or to learn what can be done. */
export type Operation = { readonly kind: 'read' | 'act'; readonly perform: Handling } | { readonly kind: 'options' }

/**
 * The operation that a method asks of a resource.
 *
 * @throws HttpError 405 with `Allow` when the resource does not have it (RFC 9110 §15.5.6).
 */
export function operationOf(resource: Resource, method: string): Operation {
  if (method === 'OPTIONS') return { kind: 'options' }
  const kind = method === 'GET' || method === 'HEAD' ? 'read' : 'act'
  const perform = handlingOf(resource, method)
  if (perform !== undefined) return { kind, perform }
  const allow = allowedMethods(resource)
  throw new HttpError(405, `This resource answers ${allow}.`, { headers: { Allow: allow } })
}

function handlingOf(resource: Resource, method: string): Handling | undefined {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return resource.get
    case 'POST':
      return resource.post
    case 'PUT':
      return resource.put
    case 'PATCH':
      return resource.patch
    case 'DELETE':
      return resource.delete
    default:
      return undefined
  }
}

/** The methods that a resource answers, as an `Allow` value (RFC 9110 §10.2.1): derived from what it can do. */
export function allowedMethods(resource: Resource): string {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
  return [...methods.filter((method) => handlingOf(resource, method) !== undefined), 'OPTIONS'].join(', ')
}
