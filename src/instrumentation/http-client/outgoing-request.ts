/** A request that the application is about to make. */
export interface OutgoingRequest {
  readonly method: string
  /** Such as `https://api.example.com:8443`. */
  readonly origin: string
  /** Without its query. */
  readonly path: string
}

/** How requests to other services are observed. */
export interface HttpClientOptions {
  /**
   * The template of a request's path, such as `/orders/{id}`: the tag `uri` and part of the span's name. Without it the
   * tag is `NOT_FOUND`, `REDIRECTION` or `UNKNOWN`; the path itself never becomes a tag.
   */
  readonly uri?: ((request: OutgoingRequest) => string | undefined) | undefined
  /** The tag `client.name`. @default the host */
  readonly clientName?: ((request: OutgoingRequest) => string | undefined) | undefined
  /** Whether requests are timed in `http.client.requests`, and not only traced. @default true */
  readonly timed?: boolean | undefined
}

/** Where an origin is. */
export interface Server {
  /** Scheme, host and port, without anybody's name and password. */
  readonly origin: string
  readonly address: string
  readonly port: number
}

/** So many origins are known by heart. */
const mostOrigins = 256

/** Reads origins, each once. */
export function createOriginReader(): (origin: string) => Server {
  const known = new Map<string, Server>()
  return (origin) => {
    const server = known.get(origin) ?? readOrigin(origin)
    if (known.size < mostOrigins) known.set(origin, server)
    return server
  }
}

function readOrigin(text: string): Server {
  const { protocol, host, hostname, port } = new URL(text)
  const address = hostname.replace(/^\[|\]$/g, '')
  return { origin: `${protocol}//${host}`, address, port: Number(port) || (protocol === 'https:' ? 443 : 80) }
}

/** Returns a request's address as it may be recorded: no fragment, a redacted path, `REDACTED` for each value of the query. */
export function tellableUrl({ origin }: Server, path: string, redactPath: (path: string) => string): string {
  const [whole = ''] = path.split('#', 1)
  const at = whole.indexOf('?')
  const head = at === -1 ? whole : whole.slice(0, at)
  // To a proxy a request's target is a whole address.
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
