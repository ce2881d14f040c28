import { optionOutOfRange } from '../../base/errors.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
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
  /** The protection space that the challenge names (RFC 9110 §11.5). @default 'management' */
  readonly realm?: string | undefined
}

/**
 * Authorizes a request that carries one of the tokens as `Authorization: Bearer …` (RFC 6750 §2.1), in constant time.
 * Several tokens allow rotation: the new one, and the old one while callers still use it. A token of `undefined`, such
 * as an environment variable that is not set, is ignored; without any token no request is authorized.
 *
 * @throws RangeError if a token is empty, or contains characters that a header cannot, such as the line break at the
 * end of a file.
 */
export function bearerToken(
  token: string | undefined | readonly (string | undefined)[],
  options: BearerTokenOptions = {},
): Authorize {
  requireKnownOptions('bearerToken', options, ['name', 'roles', 'realm'])
  const { name = 'bearer', roles, realm = 'management' } = options
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

/** Error messages do not contain the token, because they may be logged. */
function digestToken(token: string): Buffer {
  if (token === '') {
    throw optionOutOfRange(
      'bearerToken: token: expected a non-empty string, or undefined to refuse all requests, received ""',
    )
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw optionOutOfRange('bearerToken: token: expected visible ASCII characters without white space')
  }
  return digestSecret(token)
}
