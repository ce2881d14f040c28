import type { AnsweredResponse, ReceivedRequest } from './ended-response.ts'

/** A `Request` and its `Response`, as far as an observation asks a request and a response of node:http. */
export class FetchExchange implements AnsweredResponse, ReceivedRequest {
  readonly #request: Request
  #url: URL | undefined = undefined
  headersSent: boolean = false
  /** Of a request that is not answered yet, none. */
  statusCode: number = 0
  writableFinished: boolean = false

  constructor(request: Request) {
    this.#request = request
  }

  get req(): ReceivedRequest {
    return this
  }

  get method(): string {
    return this.#request.method
  }

  get url(): string {
    const { pathname, search } = this.#parsed
    return pathname + search
  }

  get rawHeaders(): readonly string[] {
    // Not every server hands the Host field on; the first of two counts.
    return ['host', this.#parsed.host, ...[...this.#request.headers].flat()]
  }

  get socket(): object {
    return this.#parsed.protocol === 'https:' ? { encrypted: true } : {}
  }

  get #parsed(): URL {
    this.#url ??= new URL(this.#request.url)
    return this.#url
  }

  answered(status: number): void {
    this.headersSent = true
    this.statusCode = status
  }
}
