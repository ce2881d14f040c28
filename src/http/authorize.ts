import { HttpError, isHttpError } from '../errors/http-error.ts'
import type { Report } from '../report.ts'
import type { ManagementRequest } from './message.ts'

/** Who is asking. */
export interface Principal {
  readonly name: string
  readonly roles?: readonly string[] | undefined
}

/** Says who is asking, or `undefined` when the request carries no credentials that it knows. */
export interface Authorize {
  (request: ManagementRequest): Principal | undefined | Promise<Principal | undefined>
  /** The `WWW-Authenticate` challenge that goes with a 401 (RFC 9110 §11.6.1), such as `Bearer realm="management"`. */
  readonly challenge?: string | undefined
}

/** Who may call: everybody, or only who is known. */
export type Access = 'public' | 'authorized'

/** Who may call by a method. */
export function accessOf(access: Access | ((method: string) => Access) | undefined, method: string): Access {
  return (typeof access === 'function' ? access(method) : access) ?? 'public'
}

/**
 * Who is calling a resource that is there for everybody. An `authorize` that fails costs the caller what only the known
 * may see, and not the answer.
 *
 * @throws HttpError when `authorize` throws one.
 */
export async function identify(
  request: ManagementRequest,
  authorize: Authorize | undefined,
  report: Report,
): Promise<Principal | undefined> {
  try {
    return await authorize?.(request)
  } catch (error) {
    if (isHttpError(error)) throw error
    report('authorize failed', error)
    return undefined
  }
}

/**
 * Who is calling a resource that is there only for who is known.
 *
 * @throws HttpError 401 with a challenge when nobody is, 403 when nobody ever can be.
 */
export async function demandPrincipal(
  request: ManagementRequest,
  authorize: Authorize | undefined,
): Promise<Principal> {
  if (authorize === undefined) throw new HttpError(403, 'Nobody is authorized to call this resource.')
  const principal = await authorize(request)
  if (principal !== undefined) return principal
  const headers = { 'WWW-Authenticate': authorize.challenge ?? 'Bearer' }
  throw new HttpError(401, 'Say who you are.', { headers })
}
