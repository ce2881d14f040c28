import { type Authorize, basicAuth, bearerToken } from 'upkeep'

/**
 * Lets in whoever has the token: as `Authorization: Bearer <token>`, or in a browser, which asks its user for a name
 * and a password, as the password of `operator`. Without a token nobody is let in.
 */
export function authorizeOperators(token: string | undefined): Authorize {
  const bearer = bearerToken(token)
  const basic = basicAuth({ username: 'operator', password: token })
  const authorize: Authorize = (request) => bearer(request) ?? basic(request)
  // The one that browsers know goes first: there are browsers that read no other.
  return Object.assign(authorize, { challenge: `${basic.challenge}, ${bearer.challenge}` })
}
