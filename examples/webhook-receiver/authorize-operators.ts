import { type Authorize, basicAuth, bearerToken } from 'upkeep'

/**
 * Authorizes requests with the token: as `Authorization: Bearer <token>` or, for browsers, as the password of the user
 * `operator`. Without a token no request is authorized.
 */
export function authorizeOperators(token: string | undefined): Authorize {
  const bearer = bearerToken(token)
  const basic = basicAuth({ username: 'operator', password: token })
  const authorize: Authorize = (request) => bearer(request) ?? basic(request)
  // Basic comes first, because some browsers read only the first challenge.
  return Object.assign(authorize, { challenge: `${basic.challenge}, ${bearer.challenge}` })
}
