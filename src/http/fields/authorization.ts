/** What an `Authorization` field says (RFC 9110 §11.6.2). */
interface AuthorizationField {
  /** The scheme in lower case, for it is compared without regard to case. */
  readonly scheme: string
  /** What follows the scheme: a token68, as of `Bearer` and `Basic`, or parameters. */
  readonly credentials: string
}

/**
 * Parses an `Authorization` field; `undefined` when it is absent, has no credentials, or came more than once, since
 * nobody knows which of two counts.
 */
export function parseAuthorization(field: string | readonly string[] | undefined): AuthorizationField | undefined {
  const [value, another] = typeof field === 'object' ? field : [field]
  if (value === undefined || another !== undefined) {
    return undefined
  }
  const [, scheme, credentials] = /^([!#$%&'*+.^_`|~\w-]+) +([^ ].*)$/.exec(value.trim()) ?? []
  return scheme === undefined || credentials === undefined ? undefined : { scheme: scheme.toLowerCase(), credentials }
}
