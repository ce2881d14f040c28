/** A parsed `Authorization` field (RFC 9110 §11.6.2). */
interface AuthorizationField {
  /** The scheme in lower case; schemes are case-insensitive. */
  readonly scheme: string
  /** The rest of the field: a token68, as for `Bearer` and `Basic`, or parameters. */
  readonly credentials: string
}

/**
 * Parses an `Authorization` field. Returns `undefined` if it is absent, has no credentials, or occurs more than once,
 * which is ambiguous.
 */
export function parseAuthorization(field: string | readonly string[] | undefined): AuthorizationField | undefined {
  const [value, another] = typeof field === 'object' ? field : [field]
  if (value === undefined || another !== undefined) {
    return undefined
  }
  const [, scheme, credentials] = /^([!#$%&'*+.^_`|~\w-]+) +([^ ].*)$/.exec(value.trim()) ?? []
  return scheme === undefined || credentials === undefined ? undefined : { scheme: scheme.toLowerCase(), credentials }
}
