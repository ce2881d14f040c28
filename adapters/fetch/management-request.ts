import { type ManagementRequest, type MessageBody, traceIdOf } from '../../src/entries/adapter.ts'

/** What a framework knows of a request beside what a `Request` does. */
export interface RequestSurroundings {
  /** How the service has named the request, in the `X-Request-Id` of the answer that is being prepared. */
  readonly requestId?: string | undefined
  /** The path and query as they came, where the URL has lost that. @default those of the URL */
  readonly target?: string | undefined
}

/**
 * A `Request` as the core sees it. Its path is as the server hands it on, where most have resolved its dots already. Header
 * fields are looked at only when the core asks.
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
    // Not every server looks at the Host that it makes a URL of.
    return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : ''
  }

  get requestId() {
    return this.#surroundings.requestId
  }

  get traceId() {
    return traceIdOf(this.#request)
  }

  body(): MessageBody {
    return { kind: 'bytes', bytes: bytesOf(this.#request) }
  }
}

/** Returns where the path begins in a URL. Bun gives no origin to a request that names no host. */
function endOfOrigin(url: string): number {
  return url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
}

/** Not every server has streams that are iterable. */
async function* bytesOf({ body }: Request): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  try {
    for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read())
      yield read.value
  } finally {
    await reader?.cancel()
  }
}
