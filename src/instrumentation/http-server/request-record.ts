import { pathOf } from '../../http/conventions/target.ts'
import type { TraceContext } from '../../ids/trace-context/traceparent.ts'
import type { ActiveTask } from '../../metrics/active-tasks.ts'
import type { Baggage } from '../../tracing/context/context-baggage.ts'
import { isFieldName } from '../../tracing/context/received-context.ts'
import type { Span } from '../../tracing/span.ts'
import { aborted, noException } from '../request-tags.ts'
import type { EndedRequest } from './ended-request.ts'
import type { RequestView, ResponseView } from './exchange-view.ts'
import type { RequestMeters } from './request-meters.ts'
import { targetOf } from './target-of.ts'

/**
 * Returns the route template of a request from the source that was passed with the function. A method's type, whose
 * parameter TypeScript compares in both directions: functions for every type of source are assignable.
 */
type ReadRoute = { read(source: unknown): string | undefined }['read']

/** Observes requests: one for each management. */
export interface RequestObserver {
  end(request: ObservedRequest, response: ResponseView): void
  /** Ends the observation of a request without recording it. */
  disregard(request: ObservedRequest): void
  /** Returns a path without secrets, by the template of its route if it is known. */
  redactedPath(request: ObservedRequest, path: string): string
}

/** A request from the start of its observation; complete, as the record of its end, when its response is closed. */
export class ObservedRequest implements EndedRequest, ActiveTask {
  readonly observer: RequestObserver
  /** Milliseconds of monotonic time. */
  readonly startedAt: number
  /** In the list of the requests in progress. */
  slot: number = -1
  readonly source: unknown
  readonly route: ReadRoute
  /** The same request, observed by another management. */
  readonly next: ObservedRequest | undefined
  /** The meters by the method and protocol that it began with; `undefined` before it is counted as active. */
  meters: RequestMeters | undefined = undefined
  /** Takes precedence over the template of the route. */
  template: string | undefined = undefined
  exception: string = noException
  error: unknown = undefined
  /** The request, while it is in progress. */
  received: RequestView | undefined = undefined
  /** The span that its observer started. */
  span: Span | undefined = undefined
  /** The baggage that the request has carried. */
  baggage: Baggage | undefined = undefined
  /** Whether the span is timed by the same clock. */
  isTimedAsSpan: boolean = false
  /** Whether the end of the connection ends the observation, as for a pipelined response. */
  isWatched: boolean = false
  isDisregarded: boolean = false
  hasEnded: boolean = false
  method: string = 'GET'
  status: number = 0
  endedAt: number = 0
  /** While subscribers are called. */
  #response: ResponseView | undefined = undefined

  constructor(
    observer: RequestObserver,
    startedAt: number,
    source: unknown,
    route: ReadRoute,
    next: ObservedRequest | undefined,
  ) {
    this.observer = observer
    this.startedAt = startedAt
    this.source = source
    this.route = route
    this.next = next
  }

  /** Completes the record. */
  complete(response: ResponseView, template: string | undefined, endedAt: number): void {
    this.method = response.req.method ?? 'GET'
    this.template = template
    this.status = response.writableFinished ? response.statusCode : aborted
    this.endedAt = endedAt
    this.#response = response
  }

  /** Releases the messages: the record may be referenced for longer than they should be. */
  release(): void {
    this.#response = undefined
    this.received = undefined
  }

  get seconds(): number {
    return (this.endedAt - this.startedAt) / 1_000
  }

  get isAborted(): boolean {
    return this.status === aborted
  }

  get trace(): TraceContext | undefined {
    return this.span?.context
  }

  get response(): ResponseView | undefined {
    return this.#response
  }

  get sentStatus(): number | undefined {
    return this.#response?.headersSent ? this.#response.statusCode : undefined
  }

  get path(): string {
    return this.observer.redactedPath(this, pathOf(this.target))
  }

  get target(): string {
    return this.#response === undefined ? '' : targetOf(this.#response.req)
  }

  get scheme(): 'http' | 'https' {
    return isEncrypted(this.#response?.req.socket) ? 'https' : 'http'
  }

  get authority(): string | undefined {
    const { rawHeaders, receivedHeader } = this.#response?.req ?? {}
    // Most clients send it first, in one of two spellings: comparing these takes a third of the time.
    if (receivedHeader === undefined && rawHeaders !== undefined) {
      const first = rawHeaders[0]
      if (first === 'Host' || first === 'host') return rawHeaders[1]
    }
    return this.requestHeader('host') ?? this.requestHeader(':authority')
  }

  get requestBytes(): number | undefined {
    return bytesOf(this.requestHeader('content-length'))
  }

  get responseBytes(): number | undefined {
    return bytesOf(this.#response?.getHeader('content-length'))
  }

  requestHeader(name: string): string | undefined {
    const request = this.#response?.req
    if (request === undefined) return undefined
    if (request.receivedHeader !== undefined) return request.receivedHeader(name)
    const { rawHeaders } = request
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      if (isFieldName(rawHeaders[at] as string, name)) return rawHeaders[at + 1]
    }
    return undefined
  }

  responseHeader(name: string): string | undefined {
    const value = this.#response?.getHeader(name)
    const first: unknown = Array.isArray(value) ? value[0] : value
    return first === undefined ? undefined : String(first)
  }
}

/** The socket of an HTTP/2 request throws once its session is closed. Reading the member is faster than `in`. */
function isEncrypted(socket: { readonly encrypted?: unknown } | undefined): boolean {
  try {
    return socket?.encrypted !== undefined
  } catch {
    return false
  }
}

function bytesOf(length: unknown): number | undefined {
  const bytes = typeof length === 'number' || typeof length === 'string' ? Number(length) : Number.NaN
  return Number.isSafeInteger(bytes) ? bytes : undefined
}
