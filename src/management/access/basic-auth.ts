import { optionOutOfRange } from '../../base/errors.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import type { Authorize, Principal } from '../../http/authorize.ts'
import { parseAuthorization } from '../../http/fields/authorization.ts'
import type { ManagementRequest } from '../../http/message.ts'
import { formatChallenge } from './challenge.ts'
import { digestSecret, isSameSecret } from './secret.ts'

/** A user with a name and a password. */
export interface BasicUser {
  readonly username: string
  /** If it is `undefined`, the user is not authorized. */
  readonly password: string | undefined
  /** The principal's roles. @default none */
  readonly roles?: readonly string[] | undefined
}

/** Options of `basicAuth`. */
export interface BasicAuthOptions {
  /** The protection space that the challenge names (RFC 9110 §11.5). @default 'management' */
  readonly realm?: string | undefined
}

interface KnownUser {
  readonly username: Buffer
  readonly password: Buffer
  readonly principal: Principal
}

/**
 * Authorizes a request that carries the name and password of one of the users as `Authorization: Basic …` (RFC 7617),
 * in UTF-8 and in constant time. A user listed twice may use either password, for rotation.
 *
 * @throws RangeError if a name is empty or contains a colon, a password is empty, or either contains a control
 * character.
 */
export function basicAuth(users: BasicUser | readonly BasicUser[], options: BasicAuthOptions = {}): Authorize {
  requireKnownOptions('basicAuth', options, ['realm'])
  const { realm = 'management' } = options
  const known = ('username' in users ? [users] : users).flatMap(knowUser)

  const authorize = (request: ManagementRequest): Principal | undefined => {
    const authorization = parseAuthorization(request.headers['authorization'])
    const presented = authorization?.scheme === 'basic' ? parseUserPass(authorization.credentials) : undefined
    if (presented === undefined) {
      return undefined
    }
    const username = digestText(presented.username)
    const password = digestText(presented.password)
    const [matching] = known.filter((user) => {
      const isUser = isSameSecret(user.username, username)
      const isPassword = isSameSecret(user.password, password)
      return isUser && isPassword
    })
    return matching?.principal
  }
  return Object.assign(authorize, { challenge: formatChallenge('Basic', { realm, charset: 'UTF-8' }) })
}

/** Error messages do not contain the password, because they may be logged. */
function knowUser({ username, password, roles }: BasicUser): KnownUser[] {
  if (username === '' || username.includes(':') || hasControls(username)) {
    const received = JSON.stringify(username)
    throw optionOutOfRange(
      `basicAuth: username: expected a name without colons and control characters, received ${received}`,
    )
  }
  if (password === undefined) {
    return []
  }
  if (password === '') {
    throw optionOutOfRange(
      'basicAuth: password: expected a non-empty string, or undefined to refuse the user, received ""',
    )
  }
  if (hasControls(password)) {
    throw optionOutOfRange('basicAuth: password: expected no control characters, such as line breaks')
  }
  const principal = { name: username, ...(roles && { roles }) }
  return [{ username: digestText(username), password: digestText(password), principal }]
}

/** `user-pass` of RFC 7617 §2, or `undefined` if it is not base64 of UTF-8 with a colon. */
function parseUserPass(credentials: string): { username: string; password: string } | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(credentials)) {
    return undefined
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(credentials, 'base64'))
    const colon = text.indexOf(':')
    return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) }
  } catch {
    return undefined
  }
}

/** Normalizes to NFC, so that the result does not depend on how a keyboard composes characters (RFC 8265 §4.2.2). */
function digestText(text: string): Buffer {
  return digestSecret(text.normalize('NFC'))
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text)
}
