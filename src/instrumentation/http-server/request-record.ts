import { pathOf } from '../../http/conventions/target.ts'
import type { TraceContext } from '../../ids/trace-context/traceparent.ts'
import type { ActiveTask } from '../../metrics/active-tasks.ts'
import type { Baggage } from '../../tracing/context/context-baggage.ts'
import type { Span } from '../../tracing/span.ts'
import { aborted, noException } from '../request-tags.ts'
import type { EndedRequest } from './ended-request.ts'
import type { ResponseView } from './exchange-view.ts'
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
  /** The span that its observer started. */
  span: Span | undefined = undefined
  /** The baggage that the request has carried. */
  baggage: Baggage | undefined = undefined
  /** Whether the span is timed by the same clock. */
  isTimedAsSpan: boolean = false
  isDisregarded: boolean = false
  hasEnded: boolean = false
  method: string = 'GET'
  status: number = 0
  seconds: number = 0
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
    this.seconds = (endedAt - this.startedAt) / 1_000
    this.endedAt = endedAt
    this.#response = response
  }

  /** Releases the messages: the record may be referenced for longer than they should be. */
  release(): void {
    this.#response = undefined
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

  get path(): string {
    const target = this.#response === undefined ? '' : targetOf(this.#response.req)
    return this.observer.redactedPath(this, pathOf(target))
  }

  get requestBytes(): number | undefined {
    const { rawHeaders = [] } = this.#response?.req ?? {}
    const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-length')
    return at < 0 ? undefined : bytesOf(rawHeaders[at + 1])
  }

  get responseBytes(): number | undefined {
    return bytesOf(this.#response?.getHeader('content-length'))
  }
}

function bytesOf(length: unknown): number | undefined {
  const bytes = typeof length === 'number' || typeof length === 'string' ? Number(length) : Number.NaN
  return Number.isSafeInteger(bytes) ? bytes : undefined
}
