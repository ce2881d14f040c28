/** The members of a request that an observation reads: of node:http, or the equivalent of a fetch server. */
export interface RequestView {
  readonly method?: string | undefined
  /** Such as `1.1`; a `Request` has none. */
  readonly httpVersion?: string | undefined
  readonly url?: string | undefined
  /** The whole target, in a mounted application of Express. */
  readonly originalUrl?: string | undefined
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[]
  /** Has a member `encrypted` if the connection uses TLS. */
  readonly socket: object | undefined
  /** Returns a field by its lower-case name, where that is faster than `rawHeaders`. */
  receivedHeader?(name: string): string | undefined
}

/** The members of a response that an observation reads. */
export interface ResponseView {
  readonly req: RequestView
  readonly statusCode: number
  readonly headersSent: boolean
  /** Whether all of it was sent; otherwise it was cut off. */
  readonly writableFinished: boolean
  /** Returns a field by its lower-case name. */
  getHeader(name: string): unknown
}
