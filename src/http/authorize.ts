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
