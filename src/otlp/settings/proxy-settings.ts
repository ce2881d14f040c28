import type { ProxySettings } from '../delivery/proxy.ts'
import { isReceiverUrl } from './receiver-url.ts'
import type { VariableGrammar, VariableReader } from './variables.ts'

const aProxy: VariableGrammar<URL> = {
  parse: (text) => {
    const url = /^\w+:\/\//.test(text) ? text : `http://${text}`
    if (!isReceiverUrl(url)) return undefined
    const { username, password } = new URL(url)
    return canDecode(username) && canDecode(password) ? new URL(url) : undefined
  },
  expected: 'the URL of a proxy such as "http://proxy:3128"',
  secret: true,
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const hosts: VariableGrammar<readonly string[]> = {
  parse: (text) =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((each) => each !== ''),
  expected: 'host names',
}

/**
 * Returns the proxy for a URL by the variables `https_proxy`, `http_proxy` and `no_proxy`, in lower or upper case;
 * `undefined` for a direct connection.
 */
export function proxySettings(target: string, variables: VariableReader): ProxySettings | undefined {
  const url = new URL(target)
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const proxy = variables.read([name, name.toUpperCase()], aProxy)
  if (proxy === undefined || isDirect(url, variables.read(['no_proxy', 'NO_PROXY'], hosts) ?? [])) return undefined
  const { username, password, origin } = proxy
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return {
    url: new URL(origin),
    headers: username === '' ? {} : { 'Proxy-Authorization': `Basic ${credentials}` },
  }
}

/** An entry is `*`, an address, a host with or without a port, or a domain, which includes all its hosts. */
function isDirect(url: URL, entries: readonly string[]): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return entries.some((entry) => {
    if (entry === '*' || entry === host) return true
    const [, name = '', ownPort = port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
    const domain = name.replace(/^\*?\./, '').replace(/^\[|\]$/g, '')
    return domain !== '' && ownPort === port && (host === domain || host.endsWith(`.${domain}`))
  })
}
