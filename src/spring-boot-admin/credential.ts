import { randomBytes } from 'node:crypto'
import { optionOutOfRange } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import type { Authorize } from '../http/authorize.ts'
import { HttpError } from '../http/errors/http-error.ts'
import type { ManagementRequest } from '../http/message.ts'
import { basicAuth } from '../management/access/basic-auth.ts'

/** Options of `createAdminCredential`. */
export interface AdminCredentialOptions {
  /** @default 'spring-boot-admin' */
  readonly username?: string | undefined
  /**
   * Required where several processes serve the same management URL, which then have to accept the same password. With
   * a password of your own, changes from a page of another origin are refused.
   * @default 128 random bits, other ones for each credential
   */
  readonly password?: string | undefined
  /**
   * Whether the server may call operations that change something, such as POST of `loggers`. With `read`, these respond
   * with 403. @default 'read'
   */
  readonly permission?: 'read' | 'read-write' | undefined
  /** The roles of its principal, for the option `access` of `createManagement`. @default none */
  readonly roles?: readonly string[] | undefined
  /** Authorizes requests without this credential, such as `bearerToken(token)`. @default none is authorized */
  readonly otherwise?: Authorize | undefined
}

/** The name and password by which Spring Boot Admin calls the endpoints of an application. */
export interface AdminCredential {
  readonly username: string
  readonly password: string
  /** Accepts the credential, and what `otherwise` accepts. The option `authorize` of `createManagement`. */
  readonly authorize: Authorize
}

/**
 * Creates a credential for Spring Boot Admin. `registerAtSpringBootAdmin` sends it to the server, which sends it back
 * with each request, as HTTP Basic (RFC 7617).
 *
 * @throws RangeError if the name or the password cannot be sent as HTTP Basic, or `permission` is invalid.
 */
export function createAdminCredential(options: AdminCredentialOptions = {}): AdminCredential {
  requireKnownOptions('createAdminCredential', options, ['username', 'password', 'permission', 'roles', 'otherwise'], {
    foreignNames: { user: 'username', name: 'username', authorize: 'otherwise' },
  })
  const { username = 'spring-boot-admin', password: given, permission = 'read', roles, otherwise } = options
  if (permission !== 'read' && permission !== 'read-write') {
    const received = JSON.stringify(permission)
    throw optionOutOfRange(`createAdminCredential: permission: expected "read" or "read-write", received ${received}`)
  }
  const password = given ?? randomBytes(16).toString('base64url')
  const recognize = basicAuth({ username, password, roles })

  const authorize = (request: ManagementRequest): ReturnType<Authorize> => {
    const principal = recognize(request)
    if (principal === undefined) return otherwise?.(request)
    if (permission === 'read' && !isRead(request.method)) {
      throw new HttpError(403, 'The credential of Spring Boot Admin permits reading only.')
    }
    return principal
  }
  const { challenge } = otherwise ?? recognize
  // The server forwards the `Origin` of its pages. A browser may have a chosen password, and adds it.
  const hasExplicitCredential = (request: ManagementRequest): boolean =>
    (given === undefined && recognize(request) !== undefined) || otherwise?.hasExplicitCredential?.(request) === true
  return { username, password, authorize: Object.assign(authorize, { challenge, hasExplicitCredential }) }
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}
