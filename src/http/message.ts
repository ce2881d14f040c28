import type { StreamedContent } from './streamed-content.ts'

/** A request as the core sees it, whatever framework received it. */
export interface ManagementRequest {
  /** The method as it came, such as `GET`. */
  readonly method: string
  /** The request target as it came: path and query, never resolved, never decoded. */
  readonly target: string
  /** Header fields by lower-case name. */
  readonly headers: MessageHeaders
  /** The body, asked for only by a resource that takes one. */
  readonly body: () => MessageBody
  /**
   * What stands before `target` in an absolute link, without a trailing slash: origin and the path below which the
   * adapter is mounted, such as `https://orders.example/ops`. Empty when it is not known.
   */
  readonly base: string
  /** The path below which the adapter is mounted, the last part of `base`. @default '' */
  readonly mountPath?: string | undefined
  /**
   * How the service has named this request, as an adapter finds it in the `X-Request-Id` of the answer that is being
   * prepared. Without one the request's own field counts.
   */
  readonly requestId?: string | undefined
  /** The trace that it is answered in, where that is known; else it is that of its `traceparent`. */
  readonly traceId?: string | undefined
}

export type MessageHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** The bytes as they arrive, or the value that a body parser in front has already made of them. */
export type MessageBody =
  | { readonly kind: 'bytes'; readonly bytes: AsyncIterable<Uint8Array> }
  | { readonly kind: 'parsed'; readonly value: unknown }

/** An answer that an adapter puts on the wire as it is. */
export interface ManagementResponse {
  readonly status: number
  /** Header fields by their usual name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ResponseBody
}

/** `null` for an answer without content, such as one to HEAD; only what is made in slices streams. */
export type ResponseBody = string | Uint8Array | StreamedContent | null
