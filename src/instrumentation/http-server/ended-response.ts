/** A request, as far as its observation looks at it: one of node:http, or what stands for one of another server. */
export interface ReceivedRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** In a mounted application of Express, the whole of the target. */
  readonly originalUrl?: string | undefined
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[]
  /** One that has `encrypted` is of TLS. */
  readonly socket: object | undefined
}

/** A response, as far as its observation looks at it. */
export interface AnsweredResponse {
  readonly req: ReceivedRequest
  readonly statusCode: number
  readonly headersSent: boolean
  /** Whether all of it was sent; a response that ends without was cut off. */
  readonly writableFinished: boolean
}
