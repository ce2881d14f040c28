import { kindOf } from '../base/callback.ts'
import { invalidArgument } from '../base/errors.ts'
import type { ManagementRequest } from './message.ts'

/**
 * Requires the members that every request has: an adapter may be written in JavaScript.
 *
 * @throws TypeError that names the first member that is missing or has the wrong type.
 */
export function requireRequest(caller: string, request: ManagementRequest): void {
  const { method, target, headers, base, body } = request ?? {}
  const isComplete =
    typeof method === 'string' &&
    typeof target === 'string' &&
    typeof base === 'string' &&
    typeof body === 'function' &&
    typeof headers === 'object' &&
    headers !== null
  if (!isComplete) throw incomplete(caller, request)
}

function incomplete(caller: string, request: ManagementRequest): TypeError {
  if (typeof request !== 'object' || request === null) {
    return invalidArgument(`${caller}: request: expected an object, received ${kindOf(request)}`)
  }
  const { method, target, headers, base, body } = request
  const members = [
    ['method', method, 'string', 'the method of the request, such as "GET"'],
    ['target', target, 'string', 'the target of the request as received, such as "/health?a=b"'],
    ['headers', headers ?? undefined, 'object', 'an object of header fields by lower-case name'],
    ['base', base, 'string', 'what precedes the target in a link, or ""'],
    ['body', body, 'function', 'a function that returns the body'],
  ] as const
  const [name, value, , expected] = members.find(([, value, type]) => typeof value !== type) ?? members[0]
  return invalidArgument(`${caller}: request.${name}: expected ${expected}, received ${kindOf(value)}`)
}
