import type { Authorize, Principal } from '../../http/authorize.ts'
import { parseAuthorization } from '../../http/fields/authorization.ts'
import type { ManagementRequest } from '../../http/message.ts'
import { formatChallenge } from './challenge.ts'
import { digestSecret, isSameSecret } from './secret.ts'

/** Options of `bearerToken`. */
export interface BearerTokenOptions {
  /** The principal's name. @default 'bearer' */
  readonly name?: string | undefined
  /** The principal's roles. @default none */
  readonly roles?: readonly string[] | undefined
  /** Which part of the server the token opens, as the challenge says it. @default 'management' */
  readonly realm?: string | undefined
}

/**
 * Authorizes a request that carries one of the tokens as `Authorization: Bearer …` (RFC 6750 §2.1), in constant time.
 * Several tokens are for rotation: the new one and, as long as callers still have it, the old one. An absent token, as
 * of an environment variable that is not set, is nobody's: without any, nobody is authorized.
 *
 * @throws RangeError when a token is empty, or holds what no header can carry, such as the line break of a file.
 */
export function bearerToken(
  token: string | undefined | readonly (string | undefined)[],
  { name = 'bearer', roles, realm = 'management' }: BearerTokenOptions = {},
): Authorize {
  const tokens = typeof token === 'object' ? token : [token]
  const accepted = tokens.filter((each) => each !== undefined).map(digestToken)
  const principal: Principal = { name, ...(roles && { roles }) }

  const authorize = (request: ManagementRequest): Principal | undefined => {
    const authorization = parseAuthorization(request.headers['authorization'])
    if (authorization?.scheme !== 'bearer') {
      return undefined
    }
    const presented = digestSecret(authorization.credentials)
    const matching = accepted.filter((each) => isSameSecret(each, presented))
    return matching.length > 0 ? principal : undefined
  }
  return Object.assign(authorize, { challenge: formatChallenge('Bearer', { realm }) })
}

/** The message does not hold the token: it may be logged. */
function digestToken(token: string): Buffer {
  if (token === '') {
    throw new RangeError('bearerToken: token is empty; leave it undefined to authorize nobody')
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new RangeError('bearerToken: token holds white space or other characters that a header cannot carry')
  }
  return digestSecret(token)
}
