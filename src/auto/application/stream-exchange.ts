import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { RequestView, ResponseView } from '../../instrumentation/http-server/exchange-view.ts'

/**
 * A stream of HTTP/2, in the form in which an observation reads a request and its response. The classes of node:http2
 * for these would handle the errors of the stream.
 */
class StreamExchange implements ResponseView, RequestView {
  readonly #stream: ServerHttp2Stream
  readonly method: string | undefined
  readonly url: string | undefined
  readonly httpVersion: string = '2.0'
  readonly rawHeaders: readonly string[]
  readonly socket: object

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]) {
    this.#stream = stream
    this.method = headers[':method']
    this.url = headers[':path']
    this.rawHeaders = rawHeaders
    this.socket = stream.session?.encrypted ? { encrypted: true } : {}
  }

  get req(): RequestView {
    return this
  }

  get statusCode(): number {
    return Number(this.#stream.sentHeaders?.[':status'] ?? 0)
  }

  get headersSent(): boolean {
    return this.#stream.headersSent
  }

  get writableFinished(): boolean {
    return this.#stream.headersSent && this.#stream.writableFinished
  }

  getHeader(name: string): unknown {
    return this.#stream.sentHeaders?.[name]
  }

  prependListener(event: string, listener: () => void): this {
    this.#stream.prependListener(event, () => listener.call(this))
    return this
  }
}

/** Returns the request and the response of a stream. */
export function exchangeOf(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
): readonly [request: IncomingMessage, response: ServerResponse] {
  const exchange: unknown = new StreamExchange(stream, headers, rawHeaders)
  // Safe: an observation uses only these members, and frameworks have no routes of streams.
  return [exchange as IncomingMessage, exchange as ServerResponse]
}
