import type { StreamedContent } from './streamed-content.ts'

/** A request in the form that the core handles, created by an adapter. */
export interface ManagementRequest {
  /** The method as received, such as `GET`. */
  readonly method: string
  /** The request target as received: path and query, neither resolved nor decoded. */
  readonly target: string
  /** Header fields by lower-case name. */
  readonly headers: MessageHeaders
  /** Returns the body. Called only by a resource that accepts one. */
  readonly body: () => MessageBody
  /**
   * What precedes `target` in an absolute link, without a trailing slash: the origin and the path below which the
   * adapter is mounted, such as `https://orders.example/ops`. Empty if it is unknown.
   */
  readonly base: string
  /** The path below which the adapter is mounted, the last part of `base`. @default '' */
  readonly mountPath?: string | undefined
  /**
   * The request identifier that the service has set in the field `X-Request-Id` of its response. @default the field of
   * the request
   */
  readonly requestId?: string | undefined
  /** The trace in which the request is handled, if known. @default the trace of the field `traceparent` */
  readonly traceId?: string | undefined
  /**
   * The IP address that the connection comes from, that of a proxy if there is one: failed logins are limited by it.
   * @default unknown: they are not limited
   */
  readonly remoteAddress?: string | undefined
  /** Aborts when the client disconnects before the response has been sent. @default a signal that never aborts */
  readonly signal?: AbortSignal | undefined
  /**
   * Extends the time for which the connection may be idle, until the response has ended. Called at most a few times.
   */
  readonly extendIdleTimeout?: ((milliseconds: number) => void) | undefined
}

/** Header fields by lower-case name; a field that was received several times may be an array. */
export type MessageHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** The bytes as they arrive, or the value that a body parser has already created from them. */
export type MessageBody =
  | { readonly kind: 'bytes'; readonly bytes: AsyncIterable<Uint8Array> }
  | { readonly kind: 'parsed'; readonly value: unknown }

/** A response that an adapter sends unchanged. */
export interface ManagementResponse {
  readonly status: number
  /** Header fields by their usual name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ResponseBody
}

/** `null` for a response without content, such as one to HEAD. */
export type ResponseBody = string | Uint8Array | StreamedContent | null
