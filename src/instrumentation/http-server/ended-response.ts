/** A request as seen by the observation: of node:http, or an adapter for another server. */
export interface ReceivedRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** The full target, in mounted Express applications. */
  readonly originalUrl?: string | undefined
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[]
  /** Has a member `encrypted` if the connection uses TLS. */
  readonly socket: object | undefined
}

/** A response as seen by the observation. */
export interface AnsweredResponse {
  readonly req: ReceivedRequest
  readonly statusCode: number
  readonly headersSent: boolean
  /** Whether the response was sent completely; otherwise it was aborted. */
  readonly writableFinished: boolean
}
