/** Which requests `httpexchanges` shows, and which of their fields. */
export interface HttpExchangesOptions {
  /** How many of the last requests are kept, 1,000 at most. @default 100 */
  readonly capacity?: number | undefined
  /** The maximum size of all that is kept, in bytes; older requests are dropped beyond it. @default 1048576 */
  readonly maximumBytes?: number | undefined
  /** The fields of requests that are kept, without those that contain credentials. @default [] */
  readonly requestHeaders?: readonly string[] | undefined
  /** The fields of responses that are kept. @default ['content-type', 'content-length'] */
  readonly responseHeaders?: readonly string[] | undefined
}
