import { requireKnownOptions } from '../../base/known-options.ts'

/** A rule that a base URL breaks, and the reason. */
export interface BrokenUrlRule {
  readonly rule: 'url' | 'subdomain' | 'path'
  readonly reason: string
}

/** Options of `checkBaseUrl`. */
export interface CheckBaseUrlOptions {
  /** What the URL serves: the API, or a portal for its developers. @default 'api' */
  readonly serves?: 'api' | 'developer' | undefined
}

/** Checks a base URL: the API has the subdomain `api`, a portal the subdomain `developer`. Returns the broken rules. */
export function checkBaseUrl(url: string, options: CheckBaseUrlOptions = {}): readonly BrokenUrlRule[] {
  requireKnownOptions('checkBaseUrl', options, ['serves'])
  const { serves = 'api' } = options
  const { protocol, hostname, search, hash } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' }
  if (!/^https?:$/.test(protocol)) {
    return [{ rule: 'url', reason: 'A base URL is an absolute http or https URL.' }]
  }
  const [first, ...domain] = hostname.split('.')
  return [
    ...(first === serves && domain.length >= 2
      ? []
      : [
          {
            rule: 'subdomain',
            reason: `The host has the subdomain ${serves}, such as ${serves}.example.com.`,
          } as const,
        ]),
    // Without a path, the slash after the host is the root and not a trailing slash.
    ...(/^https?:\/\/[^/]+\/.*\/$/i.test(url) || search || hash
      ? [{ rule: 'path', reason: 'A base URL has no trailing slash, query or fragment.' } as const]
      : []),
  ]
}
