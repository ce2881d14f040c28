import { type ClientRequest, request as requestHttp } from 'node:http'
import { Agent, type AgentOptions, request as requestHttps } from 'node:https'
import { connect } from 'node:tls'
import { setUnrefTimeout } from '../../base/timers.ts'

/** A proxy, and the credentials for it. */
export interface ProxySettings {
  /** Without credentials. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

/** The code of errors of a proxy after which a retry may succeed. */
export const proxyUnavailable = 'PROXY_UNAVAILABLE'

/**
 * An agent that tunnels TLS connections through a proxy with `CONNECT` (RFC 9110 §9.3.6). The certificate of the
 * receiver is verified as without a proxy. `timeoutMilliseconds` is that of the proxy's response.
 */
export class TunnelAgent extends Agent {
  readonly #proxy: ProxySettings
  readonly #timeoutMilliseconds: number
  /** The requests for tunnels that the proxy has not responded to. */
  readonly #pending = new Set<ClientRequest>()

  constructor(proxy: ProxySettings, timeoutMilliseconds: number, options: AgentOptions) {
    super(options)
    this.#proxy = proxy
    this.#timeoutMilliseconds = timeoutMilliseconds
  }

  /** Overrides how the agent opens a connection; `done` is called later, which Node's types do not declare. */
  override createConnection(options: TunnelTarget, done: (error: Error | null, socket?: object) => void): undefined {
    const { url, headers } = this.#proxy
    const authority = `${options.host.includes(':') ? `[${options.host}]` : options.host}:${options.port ?? 443}`
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'CONNECT',
      path: authority,
      headers: { ...headers, Host: authority },
      agent: false,
    })
    this.#pending.add(request)
    const timer = setUnrefTimeout(() => {
      request.destroy(unavailable(`the proxy ${url.origin} did not respond in time`))
    }, this.#timeoutMilliseconds)
    const settle = (error: Error | null, socket?: object): void => {
      clearTimeout(timer)
      this.#pending.delete(request)
      done(error, socket)
    }
    request.once('connect', (response, socket, head) => {
      if (response.statusCode !== 200) {
        socket.destroy()
        settle(refusal(url, response.statusCode))
        return
      }
      if (head.length > 0) socket.unshift(head)
      const secure = connect({ ...options, socket, servername: options.servername ?? options.host })
      secure.once('error', () => socket.destroy())
      settle(null, secure)
    })
    request.once('error', (error) => settle(error))
    request.end()
  }

  override destroy(): void {
    for (const request of this.#pending) request.destroy()
    super.destroy()
  }
}

function refusal(url: URL, status = 0): Error {
  const message = `the proxy ${url.origin} refused the connection with status ${status}`
  return status === 429 || status >= 500 ? unavailable(message) : new Error(message)
}

function unavailable(message: string): Error {
  return Object.assign(new Error(message), { code: proxyUnavailable })
}

interface TunnelTarget {
  readonly host: string
  readonly port?: number
  readonly servername?: string
}
