/** A request about to be sent. */
export interface OutgoingRequest {
  readonly method: string
  /** Such as `https://api.example.com:8443`. */
  readonly origin: string
  /** Path without the query. */
  readonly path: string
}

/** Options of HTTP client instrumentation. */
export interface HttpClientOptions {
  /**
   * Returns the template of a request's path, such as `/orders/{id}`: the tag `uri` and part of the span's name.
   * @default `none`; never the path itself
   */
  readonly uri?: ((request: OutgoingRequest) => string | undefined) | undefined
  /** Returns the tag `client.name`. @default the host */
  readonly clientName?: ((request: OutgoingRequest) => string | undefined) | undefined
  /** Whether requests are timed in `http.client.requests` in addition to being traced. @default true */
  readonly timed?: boolean | undefined
}

/** A parsed origin. */
export interface OriginServer {
  /** Scheme, host and port, without credentials. */
  readonly origin: string
  readonly address: string
  readonly port: number
}

/** Maximum number of cached origins. */
const maxOrigins = 256

/** Returns a function that parses origins and caches the results. */
export function createOriginReader(): (origin: string) => OriginServer {
  const known = new Map<string, OriginServer>()
  return (origin) => {
    const server = known.get(origin) ?? readOrigin(origin)
    if (known.size < maxOrigins) known.set(origin, server)
    return server
  }
}

function readOrigin(text: string): OriginServer {
  const { protocol, host, hostname, port } = new URL(text)
  const address = hostname.replace(/^\[|\]$/g, '')
  return { origin: `${protocol}//${host}`, address, port: Number(port) || (protocol === 'https:' ? 443 : 80) }
}

/**
 * Returns the URL of a request for recording: without fragment, with a redacted path and `REDACTED` for each query
 * value.
 */
export function recordedUrl({ origin }: OriginServer, path: string, redactPath: (path: string) => string): string {
  const [whole = ''] = path.split('#', 1)
  const at = whole.indexOf('?')
  const head = at === -1 ? whole : whole.slice(0, at)
  // The target of a request to a proxy is an absolute URL.
  const host = /^https?:\/\/[^/]*/.exec(head)?.[0]
  const place =
    host === undefined
      ? origin + redactPath(head)
      : host.replace(/\/\/[^/]*@/, '//') + redactPath(head.slice(host.length))
  return at === -1 ? place : `${place}?${whole.slice(at + 1).replace(/[^&]+/g, tellableParameter)}`
}

function tellableParameter(parameter: string): string {
  const at = parameter.indexOf('=')
  return at === -1 ? 'REDACTED' : `${parameter.slice(0, at)}=REDACTED`
}

/** An outgoing HTTP request, to be recorded. */
export interface ClientRequest {
  /** Host or service name of the server; the tag `client.name`. */
  readonly clientName: string
  /** Host of the server; the attribute `server.address`. @default `clientName` */
  readonly address?: string | undefined
  /** Port of the server; the attribute `server.port`. */
  readonly port?: number | undefined
  /** Template of the path, such as `/orders/{id}`; never the path itself. */
  readonly template?: string | undefined
  readonly method: string
  /** Status of the response; `undefined` without a response. */
  readonly status?: number | undefined
  /** Why there is no response. */
  readonly error?: unknown
  readonly seconds: number
}
