export interface BrokenUrlRule {
  readonly rule: 'url' | 'subdomain' | 'path'
  readonly reason: string
}

export interface CheckBaseUrlOptions {
  /** What is at the address: the service, or the portal for those who program against it. @default 'api' */
  readonly serves?: 'api' | 'developer' | undefined
}

/** The rules that a base address breaks: its domain is the `api` subdomain, or for a portal the `developer` one. */
export function checkBaseUrl(url: string, { serves = 'api' }: CheckBaseUrlOptions = {}): readonly BrokenUrlRule[] {
  const { protocol, hostname, search, hash } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' }
  if (!/^https?:$/.test(protocol)) {
    return [{ rule: 'url', reason: 'A base address is an absolute URL of http or https.' }]
  }
  const [first, ...domain] = hostname.split('.')
  return [
    ...(first === serves && domain.length >= 2
      ? []
      : [{ rule: 'subdomain', reason: `The domain has the subdomain ${serves}, as ${serves}.example.com.` } as const]),
    // Where there is no path, the slash after the domain is the root and not trailing.
    ...(/^https?:\/\/[^/]+\/.*\/$/i.test(url) || search || hash
      ? [{ rule: 'path', reason: 'A base address ends without a slash, a query and a fragment.' } as const]
      : []),
  ]
}
