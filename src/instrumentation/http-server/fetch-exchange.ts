import type { AnsweredResponse, ReceivedRequest } from './ended-response.ts'

/** Adapts a `Request` and its `Response` to the node:http shapes that the observation reads. */
export class FetchExchange implements AnsweredResponse, ReceivedRequest {
  readonly #request: Request
  headersSent: boolean = false
  /** 0 until there is a response. */
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
    const { url } = this.#request
    return url.slice(endOfHost(url))
  }

  get rawHeaders(): readonly string[] {
    const { url, headers } = this.#request
    // Not every server passes the Host field on; the first of two counts.
    return ['host', url.slice(startOfHost(url), endOfHost(url)), ...[...headers].flat()]
  }

  get socket(): object {
    return this.#request.url.startsWith('https:') ? { encrypted: true } : {}
  }

  answered(status: number): void {
    this.headersSent = true
    this.statusCode = status
  }
}

// Not by the URL constructor, which throws: some servers do not validate the host.
function startOfHost(url: string): number {
  return url.indexOf('//') + 2
}

function endOfHost(url: string): number {
  return url.indexOf('/', startOfHost(url))
}
