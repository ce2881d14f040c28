import { HttpError } from '../errors/http-error.ts'
import type { Resource, ResourceHandler } from '../resource.ts'

/** An operation by its effect: to read, to change, or to list the methods. */
type Operation = { readonly kind: 'read' | 'write'; readonly perform: ResourceHandler } | { readonly kind: 'options' }

/**
 * Returns the operation of a resource for a method.
 *
 * @throws HttpError 405 with `Allow` if the resource does not implement it (RFC 9110 §15.5.6).
 */
export function operationOf(resource: Resource, method: string): Operation {
  if (method === 'OPTIONS') return { kind: 'options' }
  const kind = method === 'GET' || method === 'HEAD' ? 'read' : 'write'
  const perform = handlingOf(resource, method)
  if (perform !== undefined) return { kind, perform }
  const allow = allowedMethods(resource)
  throw new HttpError(405, `Method not allowed; use ${listed(allow)}.`, { headers: { Allow: allow } })
}

function handlingOf(resource: Resource, method: string): ResourceHandler | undefined {
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

const resourceMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Returns the methods that a resource implements, without HEAD and OPTIONS, which are derived. */
export function methodsOf(resource: Resource): readonly string[] {
  return resourceMethods.filter((method) => handlingOf(resource, method) !== undefined)
}

/** Returns the methods that a resource responds to, as an `Allow` value (RFC 9110 §10.2.1). */
export function allowedMethods(resource: Resource): string {
  const methods = methodsOf(resource).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...methods, 'OPTIONS'].join(', ')
}

/** `GET, HEAD, OPTIONS` becomes `GET, HEAD or OPTIONS`. */
function listed(allow: string): string {
  return allow.replace(/, (\w+)$/, ' or $1')
}
