import type { AnsweredResponse, ReceivedRequest } from './ended-response.ts'

/** A `Request` and its `Response`, as far as an observation asks a request and a response of node:http. */
export class FetchExchange implements AnsweredResponse, ReceivedRequest {
  readonly #request: Request
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
    const { url } = this.#request
    return url.slice(endOfHost(url))
  }

  get rawHeaders(): readonly string[] {
    const { url, headers } = this.#request
    // Not every server hands the Host field on; the first of two counts.
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

// A URL is not taken apart by its constructor, which throws: not every server looks at the host that it makes one of.
function startOfHost(url: string): number {
  return url.indexOf('//') + 2
}

function endOfHost(url: string): number {
  return url.indexOf('/', startOfHost(url))
}
