import type { ServerResponse } from 'node:http'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Span } from '../tracing/span.ts'
import { createDecorators, type Decorators } from './decorators.ts'
import { type ClientRequest, createClientRequests } from './http-client/client-requests.ts'
import type { RequestSubscriber } from './http-server/ended-request.ts'
import type { ObservedMessage } from './http-server/observed-request.ts'
import { type ObservationParts, ServerRequests } from './http-server/server-requests.ts'
import type { BeginInstrument } from './instrument-parts.ts'
import { createSpanWork, runTraced, type SpanWorkOptions } from './tasks/observed-work.ts'

/** What the application's own requests are observed by. */
export interface Observation extends Decorators {
  /**
   * Observes the request of a response until it is closed: the timer `http.server.requests` with the tags `uri`, `method`,
   * `status`, `outcome` and `exception`, the gauge `http.server.requests.active`, and where the process is traced a span, in
   * which `next` runs, and what follows from it. A second call runs `next`, and does nothing else.
   *
   * `route` tells the route's template from `source`, and is called when the response is closed; `undefined` where it
   * knows of none, so that `uri` becomes `NOT_FOUND`, `REDIRECTION` or `UNKNOWN`.
   */
  begin<S, R>(response: ServerResponse, source: S, route: (source: S) => string | undefined, next: () => R): R
  /**
   * As `begin`, for a server that answers a `Request` by a `Response`: observes until the content of that has been read, is
   * given up, or the request's `signal` says that the client left. The `Response` that it answers is the one to send.
   */
  beginFetch<S>(
    request: Request,
    source: S,
    route: (source: S) => string | undefined,
    next: () => MaybePromise<Response>,
  ): MaybePromise<Response>
  /** Runs `next` in the trace of an observed request, for a framework in which that gets lost on the way to its handlers. */
  resume<R>(message: ObservedMessage, next: () => R): R
  /** Says that the management answers this request, known by its response or as a `Request`: it is none to the application. */
  excludeFromObservation(message: ObservedMessage): void
  /**
   * Runs a function, times it in the timer `name`, and where the process is traced runs it in a span of that name: until it
   * returns, its promise settles, or its generator ends. An error goes to the caller, is told to the span, and is the tag `error`
   * of the timer.
   */
  span<R>(name: string, work: (span: Span | undefined) => R, options?: SpanWorkOptions): R
  /**
   * Returns the path of a request as it may be recorded: by `redactPath` of the options, else by default. For what keeps
   * requests or writes about them. Pass the template of its route where it is known.
   */
  redactPath(path: string, template?: string): string
  /**
   * Calls the subscriber with each observed request when it has ended, after its time is recorded and its span has ended.
   * Returns a function that unsubscribes. A subscriber that throws is reported, once.
   */
  onRequestEnd(subscriber: RequestSubscriber): () => void
  /** Takes a request that the application made into the timer `http.client.requests`. */
  recordClientRequest(request: ClientRequest): void
  /**
   * Begins an instrument, which observes for this application what its libraries do, until the function that it answers is
   * called, or the management is closed. For what `upkeep/instrument` has.
   */
  attach(begin: BeginInstrument): () => void
}

/** An observation, for who has to end it. */
export interface ClosableObservation extends Observation {
  /** Ends all instruments. */
  close(): void
}

export interface ObservationOptions {
  /** Whether requests to the management count as requests to the application. @default false */
  readonly managementRequests?: boolean | undefined
  /**
   * Redacts a path before it is recorded in spans and error reports. Called with the path without its query and the
   * template of its route, `undefined` where there is none. Return `undefined` for the default: variables whose name contains
   * `key`, `token`, `secret`, `password` or `code` become `REDACTED`, and without a template all but lower-case words.
   */
  readonly redactPath?: ((path: string, template: string | undefined) => string | undefined) | undefined
}

/** An application that does not observe its requests has no meters of them: they are made with the first. */
export function createObservation(parts: ObservationParts): ClosableObservation {
  const instruments = new Set<() => void>()
  const { clock, report, isTraced } = parts
  const record = createClientRequests(parts.meters, report)
  let requests: ServerRequests | undefined
  const run = runTraced(parts.isTraced)
  const { redactPath } = parts
  return {
    begin(response, source, route, next) {
      requests ??= new ServerRequests(parts)
      return requests.begin(response, source, route, next)
    },
    beginFetch(request, source, route, next) {
      requests ??= new ServerRequests(parts)
      return requests.beginFetch(request, source, route, next)
    },
    resume: (message, next) => (requests === undefined ? next() : requests.resume(message, next)),
    excludeFromObservation: (message) => requests?.leaveToManagement(message),
    onRequestEnd(subscriber) {
      requests ??= new ServerRequests(parts)
      return requests.subscribe(subscriber)
    },
    span: createSpanWork(parts.meters, run),
    redactPath,
    recordClientRequest: record,
    attach(begin) {
      const stop = begin({ clock, report, record, isTraced, redactPath })
      const end = () => {
        instruments.delete(end)
        stop()
      }
      instruments.add(end)
      return end
    },
    close() {
      for (const end of instruments) end()
    },
    ...createDecorators(parts.meters, parts.clock, run),
  }
}
