import type { Authorize, Principal } from '../../http/authorize.ts'
import { parseAuthorization } from '../../http/fields/authorization.ts'
import type { ManagementRequest } from '../../http/message.ts'
import { formatChallenge } from './challenge.ts'
import { digestSecret, isSameSecret } from './secret.ts'

/** Somebody who may come in by name and password. */
export interface BasicUser {
  readonly username: string
  /** Without one the user cannot come in. */
  readonly password: string | undefined
  /** The principal's roles. @default none */
  readonly roles?: readonly string[] | undefined
}

/** Options of `basicAuth`. */
export interface BasicAuthOptions {
  /** Which part of the server the password opens, as the challenge says it. @default 'management' */
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
 * @throws RangeError when a name is empty or holds a colon, when a password is empty, or when either holds a control
 *   character.
 */
export function basicAuth(
  users: BasicUser | readonly BasicUser[],
  { realm = 'management' }: BasicAuthOptions = {},
): Authorize {
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

/** The messages do not hold the password: they may be logged. */
function knowUser({ username, password, roles }: BasicUser): KnownUser[] {
  if (username === '' || username.includes(':') || hasControls(username)) {
    throw new RangeError(`basicAuth: username must be text without a colon, not ${JSON.stringify(username)}`)
  }
  if (password === undefined) {
    return []
  }
  if (password === '') {
    throw new RangeError('basicAuth: password is empty; leave it undefined to let the user not in')
  }
  if (hasControls(password)) {
    throw new RangeError('basicAuth: password holds a control character, such as a line break')
  }
  const principal = { name: username, ...(roles && { roles }) }
  return [{ username: digestText(username), password: digestText(password), principal }]
}

/** `user-pass` of RFC 7617 §2, or `undefined` when it is no base64, no UTF-8, or has no colon. */
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

/** Text that looks the same is the same, however a keyboard composed it (RFC 8265 §4.2.2). */
function digestText(text: string): Buffer {
  return digestSecret(text.normalize('NFC'))
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text)
}
