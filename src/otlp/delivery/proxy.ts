import { request as requestHttp } from 'node:http'
import { Agent, type AgentOptions, request as requestHttps } from 'node:https'
import { connect } from 'node:tls'

/** A proxy, and the credentials for it. */
export interface ProxySettings {
  /** Without credentials. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Returns an agent that tunnels TLS connections through a proxy with `CONNECT` (RFC 9110 §9.3.6). The certificate of
 * the receiver is verified as without a proxy.
 */
export function tunnelAgent(proxy: ProxySettings, options: AgentOptions): Agent {
  return new TunnelAgent(proxy, options)
}

class TunnelAgent extends Agent {
  readonly #proxy: ProxySettings

  constructor(proxy: ProxySettings, options: AgentOptions) {
    super(options)
    this.#proxy = proxy
  }

  /** Overrides how the agent opens a connection; `done` is called later, which Node's types do not declare. */
  override createConnection(options: TunnelTarget, done: (error: Error | null, socket?: object) => void): undefined {
    const { url, headers } = this.#proxy
    const authority = `${options.host}:${options.port ?? 443}`
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'CONNECT',
      path: authority,
      headers: { ...headers, Host: authority },
      agent: false,
    })
    request.once('connect', (response, socket) => {
      if (response.statusCode !== 200) {
        socket.destroy()
        done(new Error(`the proxy ${url.origin} refused the connection with status ${response.statusCode}`))
        return
      }
      const secure = connect({ ...options, socket, servername: options.servername ?? options.host })
      secure.once('error', () => socket.destroy())
      done(null, secure)
    })
    request.once('error', (error) => done(error))
    request.end()
  }
}

interface TunnelTarget {
  readonly host: string
  readonly port?: number
  readonly servername?: string
}
