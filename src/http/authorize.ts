import { HttpError } from '../errors/http-error.ts'
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

/** Who may call: everybody, unasked; everybody, and whoever says who he is is known; only who is known. */
export type Access = 'public' | 'identified' | 'authorized'

/**
 * Who is calling a resource of this access.
 *
 * @throws HttpError 401 with a challenge when nobody is known who has to be, 403 when nobody ever can be.
 */
export async function identify(
  access: Access,
  request: ManagementRequest,
  authorize: Authorize | undefined,
): Promise<Principal | undefined> {
  if (access === 'public') return undefined
  const principal = await authorize?.(request)
  if (principal === undefined && access === 'authorized') {
    if (authorize === undefined) throw new HttpError(403, 'Nobody is authorized to call this resource.')
    const headers = { 'WWW-Authenticate': authorize.challenge ?? 'Bearer' }
    throw new HttpError(401, 'Say who you are.', { headers })
  }
  return principal
}
