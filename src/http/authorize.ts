import { isPromise } from '../base/callback.ts'
import { withDeadline } from '../base/deadline.ts'
import { type MaybePromise, thenNow } from '../base/maybe-promise.ts'
import type { Report } from '../base/report.ts'
import { HttpError, isHttpError } from './errors/http-error.ts'
import { parseAuthorization } from './fields/authorization.ts'
import type { ManagementRequest } from './message.ts'

/** Who is asking. */
export interface Principal {
  readonly name: string
  readonly roles?: readonly string[] | undefined
}

/**
 * Says who is asking, or `undefined` when the request carries no credentials that it knows. A promise that has not settled
 * after five seconds counts as rejected.
 */
export interface Authorize {
  (request: ManagementRequest): Principal | undefined | Promise<Principal | undefined>
  /** The `WWW-Authenticate` challenge that goes with a 401 (RFC 9110 §11.6.1), such as `Bearer realm="management"`. */
  readonly challenge?: string | undefined
}

const deadlineMilliseconds = 5_000

/** Who may call: everybody, whoever is known, or who is known and has one of these roles. */
export type Access = 'public' | 'authorized' | { readonly roles: readonly string[] }

/** Who may call by a method. */
export function accessOf(access: Access | ((method: string) => Access) | undefined, method: string): Access {
  return (typeof access === 'function' ? access(method) : access) ?? 'public'
}

/**
 * Who is calling a resource that is there for everybody. An `authorize` that fails costs the caller what only the known
 * may see, and not the answer.
 *
 * @throws HttpError, or rejects with it, when `authorize` throws one.
 */
export function identify(
  request: ManagementRequest,
  authorize: Authorize | undefined,
  report: Report,
): MaybePromise<Principal | undefined> {
  const knowNobody = (error: unknown): undefined => {
    if (isHttpError(error)) throw error
    report('authorize failed', error)
  }
  if (authorize === undefined) return undefined
  try {
    const principal = ask(authorize, request)
    return principal instanceof Promise ? principal.catch(knowNobody) : principal
  } catch (error) {
    return knowNobody(error)
  }
}

/**
 * Who is calling a resource that is not there for everybody.
 *
 * @throws HttpError, or rejects with it: 401 with a challenge when it is not known who that is, 403 when that is not
 *   enough, or when nobody ever can be known.
 */
export function demandPrincipal(
  request: ManagementRequest,
  authorize: Authorize | undefined,
  access: Exclude<Access, 'public'>,
): MaybePromise<Principal> {
  if (authorize === undefined) throw new HttpError(403, 'Nobody is authorized to call this resource.')
  return thenNow(ask(authorize, request), (principal) => {
    const { challenge = 'Bearer' } = authorize
    if (principal === undefined) {
      const headers = { 'WWW-Authenticate': presentsToken(request) ? refusing(challenge) : challenge }
      throw new HttpError(401, 'Say who you are.', { headers })
    }
    if (access === 'authorized' || hasRole(principal, access.roles)) return principal
    // A challenge with the 403 says that other credentials could be enough (RFC 9110 §11.6.1, RFC 6750 §3.1).
    const headers = { 'WWW-Authenticate': challenge }
    throw new HttpError(403, 'You are known, and not authorized to call this resource.', { headers })
  })
}

function presentsToken({ headers }: ManagementRequest): boolean {
  return parseAuthorization(headers['authorization'])?.scheme === 'bearer'
}

/** A challenge of the scheme `Bearer`, and of no other: its parameters are tokens or quoted strings (RFC 9110 §11.2). */
const bearerChallenge = /^Bearer(?:(?: +|, *)[\w-]+=(?:"(?:[^"\\]|\\.)*"|[^\s",]+))*$/i

/** Adds to a challenge for `Bearer` that the token was refused, not missing (RFC 6750 §3.1). */
function refusing(challenge: string): string {
  if (!bearerChallenge.test(challenge) || /[ ,]error=/i.test(challenge)) return challenge
  return `${challenge}${challenge.includes('=') ? ',' : ''} error="invalid_token"`
}

/** Whether a principal has one of these roles. */
export function hasRole({ roles }: Principal, wanted: readonly string[]): boolean {
  return Array.isArray(roles) && roles.some((role) => wanted.includes(role))
}

/** What is not an object, or is an array, is nobody: an `authorize` that answers `true`, `false` or `null` has said who is asking to no one. */
function ask(authorize: Authorize, request: ManagementRequest): MaybePromise<Principal | undefined> {
  const answer: unknown = authorize(request)
  if (!isPromise(answer)) return principalOf(answer)
  return withDeadline(answer, deadlineMilliseconds, 'authorize').then(principalOf)
}

function principalOf(answer: unknown): Principal | undefined {
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? (answer as Principal) : undefined
}
