import { isPromise, onlyFirst, unexpected } from '../base/callback.ts'
import { withDeadline } from '../base/deadline.ts'
import { type MaybePromise, thenNow } from '../base/maybe-promise.ts'
import type { Report } from '../base/report.ts'
import { HttpError, isHttpError } from './errors/http-error.ts'
import { LoginLimitError } from './errors/login-limit-error.ts'
import { parseAuthorization } from './fields/authorization.ts'
import type { ManagementRequest } from './message.ts'

/** An authenticated caller. */
export interface Principal {
  readonly name: string
  /** Compared with the `roles` of an access rule. @default none */
  readonly roles?: readonly string[] | undefined
}

/**
 * Returns the caller, or `undefined` if the request has no valid credentials. A promise that is not settled after five
 * seconds counts as rejected.
 */
export interface Authorize {
  (request: ManagementRequest): Principal | undefined | Promise<Principal | undefined>
  /**
   * The `WWW-Authenticate` challenge of a 401 (RFC 9110 §11.6.1), such as `Bearer realm="management"`. @default
   * 'Bearer'
   */
  readonly challenge?: string | undefined
  /**
   * Whether a request has a credential that no browser adds by itself, such as a random password that only a program
   * has received. A change that it requests is then not refused as cross-site. @default none has
   */
  readonly hasExplicitCredential?: ((request: ManagementRequest) => boolean) | undefined
}

const timeoutMilliseconds = 5_000

/** Who may call: everyone, every authenticated caller, or callers with one of these roles. */
export type Access = 'public' | 'authorized' | { readonly roles: readonly string[] }

/** The access of a resource: for all methods, or by method. */
export type ResourceAccess = Access | ((method: string) => Access)

/** Returns who may call by a method. */
export function accessOf(access: ResourceAccess | undefined, method: string): Access {
  return (typeof access === 'function' ? access(method) : access) ?? 'public'
}

/** Whether everyone may call a resource by a method. */
export function isPublic(access: ResourceAccess | undefined, method: string): boolean {
  return accessOf(access, method) === 'public'
}

/**
 * Returns the caller of a public resource. If `authorize` fails, that is reported, and the caller counts as unknown.
 *
 * @throws HttpError, or rejects with it, if `authorize` throws one, except that of too many failed logins.
 */
export function identify(
  request: ManagementRequest,
  authorize: Authorize | undefined,
  report: Report,
): MaybePromise<Principal | undefined> {
  const failed = (error: unknown): undefined => {
    if (error instanceof LoginLimitError) return undefined
    if (isHttpError(error)) throw error
    report('authorize failed', error)
    return undefined
  }
  if (authorize === undefined) return undefined
  try {
    const principal = authenticate(authorize, request)
    return principal instanceof Promise ? principal.catch(failed) : principal
  } catch (error) {
    return failed(error)
  }
}

/**
 * Returns the caller of a resource; `undefined` if the resource is public, so that the caller need not be known.
 *
 * @throws HttpError, or rejects with it: 401, 403.
 */
export function authorizeCaller(
  request: ManagementRequest,
  resourceAccess: ResourceAccess | undefined,
  authorize: Authorize | undefined,
): MaybePromise<Principal | undefined> {
  const access = accessOf(resourceAccess, request.method)
  return access === 'public' ? undefined : requirePrincipal(request, authorize, access)
}

/**
 * Returns the caller of a resource that is not public.
 *
 * @throws HttpError, or rejects with it: 401 with a challenge if the caller is unknown, 403 if it is not permitted, or
 * if there is no `authorize`.
 */
export function requirePrincipal(
  request: ManagementRequest,
  authorize: Authorize | undefined,
  access: Exclude<Access, 'public'>,
): MaybePromise<Principal> {
  if (authorize === undefined) throw new HttpError(403, 'Forbidden: authorization is not configured.')
  return thenNow(authenticate(authorize, request), (principal) => {
    const { challenge = 'Bearer' } = authorize
    if (principal === undefined) {
      const headers = { 'WWW-Authenticate': hasToken(request) ? withInvalidToken(challenge) : challenge }
      throw new HttpError(401, 'Authentication required.', { headers })
    }
    if (access === 'authorized' || hasRole(principal, access.roles)) return principal
    // A challenge with a 403 means that other credentials may suffice (RFC 9110 §11.6.1, RFC 6750 §3.1).
    const headers = { 'WWW-Authenticate': challenge }
    throw new HttpError(403, 'Insufficient permissions.', { headers })
  })
}

function hasToken({ headers }: ManagementRequest): boolean {
  return parseAuthorization(headers['authorization'])?.scheme === 'bearer'
}

/** A single challenge, of the scheme `Bearer`: its parameters are tokens or quoted strings (RFC 9110 §11.2). */
const bearerChallenge = /^Bearer(?:(?: +|, *)[\w-]+=(?:"(?:[^"\\]|\\.)*"|[^\s",]+))*$/i

/** Adds to a `Bearer` challenge that the token is invalid, not missing (RFC 6750 §3.1). */
function withInvalidToken(challenge: string): string {
  if (!bearerChallenge.test(challenge) || /[ ,]error=/i.test(challenge)) return challenge
  return `${challenge}${challenge.includes('=') ? ',' : ''} error="invalid_token"`
}

/** Whether a principal has one of these roles. */
export function hasRole({ roles }: Principal, wanted: readonly string[]): boolean {
  return Array.isArray(roles) && roles.some((role) => wanted.includes(role))
}

/**
 * Calls `authorize`. Any result other than an object counts as an unknown caller, such as `true`, `null` or an array.
 */
function authenticate(authorize: Authorize, request: ManagementRequest): MaybePromise<Principal | undefined> {
  const result: unknown = authorize(request)
  if (!isPromise(result)) return principalOf(result)
  return withDeadline(result, timeoutMilliseconds, 'authorize').then(principalOf)
}

function principalOf(result: unknown): Principal | undefined {
  return typeof result === 'object' && result !== null && !Array.isArray(result) ? (result as Principal) : undefined
}

/**
 * Returns an `authorize` that reports, once, a result that cannot be meant, such as `true`: it counts as an unknown
 * caller. `null` and `false` mean the same as `undefined`.
 */
export function reportUnusable(authorize: Authorize, report: Report): Authorize {
  const reportOnce = onlyFirst((result: unknown) => {
    const expected = "a principal such as { name: 'ops' }, or undefined"
    report(`authorize: the caller counts as unknown: ${unexpected(expected, result).message}`)
  })
  const look = <R>(result: R): R => {
    if (result && principalOf(result) === undefined) reportOnce(result)
    return result
  }
  const checked: Authorize = (request) => {
    const result = authorize(request)
    return isPromise(result) ? Promise.resolve(result).then(look) : look(result)
  }
  const { challenge, hasExplicitCredential } = authorize
  return Object.assign(checked, { challenge, hasExplicitCredential })
}
