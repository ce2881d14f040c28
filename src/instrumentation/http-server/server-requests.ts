import type { ServerResponse } from 'node:http'
import { createSafeCall, onlyFirst, readOptionalString } from '../../base/callback.ts'
import type { Clock } from '../../base/clock.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Report } from '../../base/report.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import { currentTracing } from '../../tracing/current-tracing.ts'
import { heldRequestOf } from '../../tracing/spans/bridged-span.ts'
import type { TraceExemplars } from '../../tracing/trace-exemplars.ts'
import type { Convention } from '../conventions/convention.ts'
import { aborted } from '../request-tags.ts'
import { type ActiveRequest, oldestOf } from './active-request.ts'
import type { EndedRequest, RequestSubscriber } from './ended-request.ts'
import type { RequestView, ResponseView } from './exchange-view.ts'
import { FetchExchange } from './fetch-exchange.ts'
import { handleFetch } from './handle-fetch.ts'
import { attach, attachFetch, type ObservedMessage, requestOf, watchEnd } from './observed-request.ts'
import type { RedactPath } from './path-redaction.ts'
import { type RequestMeters, RequestMetersIndex } from './request-meters.ts'
import { ObservedRequest, type RequestObserver } from './request-record.ts'
import { endSpan, RequestTracing } from './request-tracing.ts'
import { targetOf } from './target-of.ts'

/** Dependencies of an observation. */
export interface ObservationParts {
  readonly meters: MeterRegistry
  readonly convention: Convention
  readonly clock: Clock
  readonly report: Report
  /** Returns the tag `uri` of a management request by its target; `undefined` if they are not observed. */
  readonly managementUri: ((target: string) => string) | undefined
  /** Whether a request is for the management, by its target; `undefined` if its requests are observed. */
  readonly isManagement: ((target: string) => boolean) | undefined
  /** Whether requests are traced, provided the process is. */
  readonly isTraced: boolean
  readonly exemplars: TraceExemplars
  readonly redactPath: RedactPath
}

/** Times and traces the requests to an application. */
export class ServerRequests implements RequestObserver {
  readonly #parts: ObservationParts
  readonly #meters: RequestMetersIndex
  readonly #timingFailed: (error: unknown) => void
  readonly #tracing: RequestTracing
  readonly #callRoute: (route: ObservedRequest['route'], source: unknown) => string | undefined
  /** Called with the record of each request that ends. */
  #subscribers: readonly ((request: ObservedRequest) => void)[] = []

  constructor(parts: ObservationParts) {
    this.#parts = parts
    const { httpServer } = parts.convention
    this.#timingFailed = onlyFirst((error) => parts.report(`failed to record ${httpServer.requests.name}`, error))
    const showingFailed = onlyFirst((error) => parts.report(`failed to record ${httpServer.active.name}`, error))
    this.#meters = new RequestMetersIndex(parts.meters, httpServer, showingFailed)
    this.#tracing = new RequestTracing(parts)
    const routeFailed = (error: unknown) =>
      parts.report("failed to read the route of a request; its uri is 'UNKNOWN'", error)
    const call = createSafeCall<[source: unknown], string | undefined>(readOptionalString, routeFailed)
    this.#callRoute = (route, source) => call(route, source)
  }

  subscribe(subscriber: RequestSubscriber): () => void {
    const failed = (error: unknown) => this.#parts.report('a subscriber to ended requests failed', error)
    const call = createSafeCall<[request: EndedRequest], void>(() => {}, failed)
    const subscribed = (request: ObservedRequest) => call(subscriber, request)
    this.#subscribers = [...this.#subscribers, subscribed]
    return () => {
      this.#subscribers = this.#subscribers.filter((each) => each !== subscribed)
    }
  }

  begin<S, R>(response: ServerResponse, source: S, route: (source: S) => string | undefined, next: () => R): R {
    const request = this.#attach(response, source, route)
    return request === undefined ? next() : this.#tracing.run(request, response.req, next)
  }

  enter<S>(response: ServerResponse, source: S, route: (source: S) => string | undefined): void {
    const request = this.#attach(response, source, route)
    if (request !== undefined) this.#tracing.enter(request, response.req)
  }

  /** Begins to observe a response. Returns `undefined` if that has begun before. */
  #attach<S>(response: ServerResponse, source: S, route: (source: S) => string | undefined) {
    const request = attach(this, response, this.#parts.clock.monotonicTime(), source, route)
    if (request === undefined) return undefined
    this.#count(request, response.req)
    if (response.socket === null) watchEnd(request, response)
    return request
  }

  beginFetch<S>(
    message: Request,
    source: S,
    route: (source: S) => string | undefined,
    next: () => MaybePromise<Response>,
  ): MaybePromise<Response> {
    const request = attachFetch(this, message, this.#parts.clock.monotonicTime(), source, route)
    if (request === undefined) return next()
    const exchange = new FetchExchange(message)
    this.#count(request, exchange)
    return handleFetch(message, exchange, request, () => this.#tracing.run(request, exchange, next))
  }

  /** Runs a function in the trace of a request whose context was lost. */
  resume<R>(message: ObservedMessage, next: () => R): R {
    const { span, baggage } = requestOf(this, message) ?? {}
    const tracing = currentTracing()
    return span === undefined || tracing === undefined ? next() : tracing.run(span, next, baggage)
  }

  #count(request: ObservedRequest, received: RequestView): void {
    request.meters = this.#meters.of(received)
    request.meters.active.add(request)
    request.received = received
  }

  /** Returns the requests in progress that began first, the oldest first, and how many there are. */
  active(limit: number): { readonly total: number; readonly oldest: readonly ActiveRequest[] } {
    const requests = [...this.#meters.active()]
      .flatMap(({ tasks }) => tasks)
      // Others use the same timer: the application, and other managements.
      .filter((task): task is ObservedRequest => task instanceof ObservedRequest && task.observer === this)
    const oldest = oldestOf(requests, limit).map(({ startedAt, template, route, source, received, trace }) => ({
      startedAt,
      trace,
      template: template ?? this.#callRoute(route, source),
      method: received?.method ?? 'GET',
      target: received === undefined ? '' : targetOf(received),
    }))
    return { total: requests.length, oldest }
  }

  leaveToManagement(message: ObservedMessage): void {
    const request = requestOf(this, message)
    if (request === undefined || request.isDisregarded || request.hasEnded) return
    const { managementUri } = this.#parts
    if (managementUri === undefined) this.disregard(request)
    else request.template = managementUri('req' in message ? targetOf(message.req) : message.url)
  }

  disregard(request: ObservedRequest): void {
    if (request.isDisregarded || request.hasEnded) return
    request.isDisregarded = true
    heldRequestOf(request.span)?.discard()
    request.meters?.active.remove(request)
    request.release()
  }

  end(request: ObservedRequest, response: ResponseView): void {
    // Spans have to be ended to be exported.
    request.hasEnded = true
    if (request.isDisregarded) return
    request.meters?.active.remove(request)
    const endedAt = this.#parts.clock.monotonicTime()
    request.complete(response, request.template ?? this.#callRoute(request.route, request.source), endedAt)
    this.#recordTime(request)
    endSpan(request)
    for (const notify of this.#subscribers) notify(request)
    request.release()
  }

  /** Never throws: it is called from event listeners. */
  #recordTime(request: ObservedRequest): void {
    const { template, status, exception, seconds, span } = request
    const { exemplars } = this.#parts
    // The request is over, so the current asynchronous context is not its own.
    if (span !== undefined) exemplars.setSpan(span)
    try {
      const sentStatus = status === aborted ? request.sentStatus : undefined
      const code = sentStatus === undefined ? status : -sentStatus
      this.#metersOf(request)?.record(template, code, exception, seconds)
    } catch (error) {
      this.#timingFailed(error)
    }
    if (span !== undefined) exemplars.setSpan(undefined)
  }

  /** The method may have been overridden since the request began. */
  #metersOf({ meters, method, response }: ObservedRequest): RequestMeters | undefined {
    return response === undefined || meters?.facts.method === method ? meters : this.#meters.of(response.req)
  }

  redactedPath({ template, route, source, hasEnded }: ObservedRequest, path: string): string {
    return this.#parts.redactPath(path, hasEnded ? template : (template ?? this.#callRoute(route, source)))
  }
}
