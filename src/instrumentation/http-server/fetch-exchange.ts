import type { RequestView, ResponseView } from './exchange-view.ts'

/** A `Request` and its `Response`, in the form in which an observation reads a request and a response. */
export class FetchExchange implements ResponseView, RequestView {
  readonly #request: Request
  #headers: Headers | undefined = undefined
  headersSent: boolean = false
  /** 0 before the response. */
  statusCode: number = 0
  writableFinished: boolean = false

  constructor(request: Request) {
    this.#request = request
  }

  get req(): RequestView {
    return this
  }

  get method(): string {
    return this.#request.method
  }

  get url(): string {
    const { url } = this.#request
    return url.slice(endOfHost(url))
  }

  get rawHeaders(): readonly string[] {
    const { url, headers } = this.#request
    // Not every server includes the Host field; the first of two is used.
    return ['host', url.slice(startOfHost(url), endOfHost(url)), ...[...headers].flat()]
  }

  receivedHeader(name: string): string | undefined {
    if (name !== 'host') return this.#request.headers.get(name) ?? undefined
    const { url } = this.#request
    return url.slice(startOfHost(url), endOfHost(url))
  }

  get socket(): object {
    return this.#request.url.startsWith('https:') ? { encrypted: true } : {}
  }

  respond(status: number, headers?: Headers): void {
    this.headersSent = true
    this.statusCode = status
    this.#headers = headers
  }

  getHeader(name: string): unknown {
    return this.#headers?.get(name) ?? undefined
  }
}

// Not `new URL`, which throws: not every server checks the host from which it creates the URL.
function startOfHost(url: string): number {
  return url.indexOf('//') + 2
}

function endOfHost(url: string): number {
  return url.indexOf('/', startOfHost(url))
}
