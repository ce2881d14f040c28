import { type ManagementRequest, type MessageBody, traceIdOf } from '../../src/entries/adapter.ts'

/** What a framework knows about a request in addition to a `Request`. */
export interface RequestSurroundings {
  /** The `X-Request-Id` of the response in preparation. */
  readonly requestId?: string | undefined
  /** The path and query as received, where the URL has resolved them. @default those of the URL */
  readonly target?: string | undefined
  /** Extends the time for which the connection may be idle. @default the limit of the server applies */
  readonly extendIdleTimeout?: ((milliseconds: number) => void) | undefined
}

/**
 * Returns a `Request` in the form that the core handles. Its path is that of the URL, of which most servers have
 * resolved dot segments. Header fields are read when the core needs them.
 */
export function toManagementRequest(request: Request, surroundings: RequestSurroundings = {}): ManagementRequest {
  return new FetchRequest(request, surroundings)
}

class FetchRequest implements ManagementRequest {
  readonly method: string
  readonly target: string
  readonly #request: Request
  readonly #surroundings: RequestSurroundings
  #headers: Readonly<Record<string, string>> | undefined = undefined

  constructor(request: Request, surroundings: RequestSurroundings) {
    const { method, url } = request
    this.method = method
    this.target = surroundings.target ?? url.slice(endOfOrigin(url))
    this.#request = request
    this.#surroundings = surroundings
  }

  get headers() {
    this.#headers ??= Object.fromEntries(this.#request.headers)
    return this.#headers
  }

  get base() {
    const { url } = this.#request
    const origin = url.slice(0, endOfOrigin(url))
    // Not every server checks the Host from which it creates the URL.
    return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : ''
  }

  get requestId() {
    return this.#surroundings.requestId
  }

  get traceId() {
    return traceIdOf(this.#request)
  }

  get signal() {
    return this.#request.signal
  }

  get extendIdleTimeout() {
    return this.#surroundings.extendIdleTimeout
  }

  body(): MessageBody {
    return { kind: 'bytes', bytes: bytesOf(this.#request) }
  }
}

/** Returns the index of the path in a URL. On Bun the URL of a request without a host has no origin. */
function endOfOrigin(url: string): number {
  return url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
}

/** Not every server's streams are iterable. */
async function* bytesOf({ body }: Request): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  try {
    for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read())
      yield read.value
  } finally {
    await reader?.cancel()
  }
}
