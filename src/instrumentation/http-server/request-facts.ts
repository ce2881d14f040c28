import type { RequestView } from './exchange-view.ts'

/** The protocol of a request, as far as a convention distinguishes protocols. */
export interface Protocol {
  /** The position in the list of all protocols of the convention. */
  readonly index: number
  readonly scheme?: 'http' | 'https'
  /** Such as `1.1`. */
  readonly version?: string
}

/** What is known of a request when it begins. */
export interface BegunRequestFacts {
  /** `undefined` for a method that is not known. */
  readonly method: string | undefined
  readonly protocol: Protocol
}

/** What is known of a request when it has ended. */
export interface EndedRequestFacts extends BegunRequestFacts {
  /** The template of the route. */
  readonly template: string | undefined
  /** The status; of a response that was cut off, `aborted` or the negative status whose header was sent. */
  readonly status: number
  /** The name of the error, or `none`. */
  readonly exception: string
}

/** Returns the protocol of a request. Called with each request: must not allocate. */
export type ReadProtocol = (request: RequestView) => Protocol
