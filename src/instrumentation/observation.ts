import type { ServerResponse } from 'node:http'
import type { Clock } from '../base/clock.ts'
import { lazy } from '../base/lazy.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Report } from '../base/report.ts'
import type { Tags } from '../metrics/series/tags.ts'
import type { Span, TracedOptions } from '../tracing/span.ts'
import { traced } from '../tracing/traced.ts'
import { type DatabaseOperation, type MessagingOperation, recordWrappedOperations } from './client-operations.ts'
import { createDecorators, type Decorators, type RunTraced } from './decorators.ts'
import type { ClientRequest } from './http-client/outgoing-request.ts'
import type { ActiveRequest } from './http-server/active-request.ts'
import type { RequestSubscriber } from './http-server/ended-request.ts'
import type { ObservedMessage } from './http-server/observed-request.ts'
import type { RedactPath } from './http-server/path-redaction.ts'
import { type ObservationParts, ServerRequests } from './http-server/server-requests.ts'
import { createOperationRecorders } from './operation-meters.ts'

/** Observes the requests and the work of the application. */
export interface Observation extends Decorators {
  /**
   * Observes a request until its response is closed: in the timer `http.server.requests`, in the long task timer
   * `http.server.requests.active`, and in a span if the process is traced. `next` runs in that span. With
   * `conventions: 'opentelemetry'` the meters are `http.server.request.duration` and `http.server.active_requests`. A
   * second call for the same response only runs `next`.
   *
   * `route` returns the template of the route or of the mount from `source`, and is called when the response is closed.
   * If it returns `undefined`, `uri` becomes `NOT_FOUND`, `REDIRECTION` or `UNKNOWN`.
   */
  begin<S, R>(response: ServerResponse, source: S, route: (source: S) => string | undefined, next: () => R): R
  /** Starts to measure, so that the first request does not wait for that. Called by the `observe` of adapters. */
  prepare(): void
  /**
   * Like `begin`, for an observer that is called before a request is handled, and not around it: the span stays active
   * in the asynchronous flow that handles the request.
   */
  enter<S>(response: ServerResponse, source: S, route: (source: S) => string | undefined): void
  /**
   * Like `begin`, for fetch servers. Observes a request until the content of its response has been read or cancelled,
   * or until its `signal` is aborted. The returned `Response` has to be sent.
   */
  beginFetch<S>(
    request: Request,
    source: S,
    route: (source: S) => string | undefined,
    next: () => MaybePromise<Response>,
  ): MaybePromise<Response>
  /** Runs `next` in the trace of an observed request, for frameworks that lose the asynchronous context. */
  resume<R>(message: ObservedMessage, next: () => R): R
  /** Marks a request as handled by the management: it does not count as a request to the application. */
  excludeFromObservation(message: ObservedMessage): void
  /**
   * Runs a function, times it in the timer `name`, and runs it in a span of that name if the process is traced: until
   * it returns, its promise settles, or its generator ends. Errors are rethrown, recorded on the span, and set the tag
   * `error` of the timer.
   */
  span<R>(name: string, work: (span: Span | undefined) => R, options?: SpanWorkOptions): R
  /**
   * Returns the redacted path of a request, for logs and records of requests. `template` is that of its route, where
   * known.
   */
  redactPath(path: string, template?: string): string
  /**
   * Calls the subscriber with each observed request when it has ended, after its time is recorded and its span has
   * ended. Returns a function that unsubscribes. A subscriber that throws is reported, once.
   */
  onRequestEnd(subscriber: RequestSubscriber): () => void
  /**
   * Records a request that the application made in the timer `http.client.requests`, or `http.client.request.duration`.
   */
  recordClientRequest(request: ClientRequest): void
  /**
   * Starts an instrumentation of libraries for this management, as `instrument` does. Returns a function that stops it;
   * closing the management does so as well.
   */
  attach(begin: BeginInstrument): () => void
}

/** Options of work that is measured by a timer and traced by a span. */
export interface SpanWorkOptions extends TracedOptions {
  /** Tags of the timer. */
  readonly tags?: Tags | undefined
}

/** Dependencies of an instrumentation. */
export interface InstrumentParts {
  readonly clock: Clock
  readonly report: Report
  /** Called with each request that has ended. */
  readonly record: (request: ClientRequest) => void
  /** Called with each database operation that has ended. */
  readonly recordOperation: (operation: DatabaseOperation) => void
  /** Whether the management traces, provided the process does. */
  readonly isTraced: boolean
  /** Redacts the paths of requests. */
  readonly redactPath: RedactPath
}

/** Starts an instrumentation. Returns a function that stops it. */
export type BeginInstrument = (parts: InstrumentParts) => () => void

/** An observation, for its owner to read and close. */
export interface OwnObservation extends Observation {
  /** Returns the requests in progress that began first, the oldest first, and how many there are. */
  activeRequests(limit: number): { readonly total: number; readonly oldest: readonly ActiveRequest[] }
  /** Stops all instrumentations. */
  close(): void
}

/** Options of the observation of requests. */
export interface ObservationOptions {
  /** Whether requests to the management count as requests to the application. @default false */
  readonly managementRequests?: boolean | undefined
  /**
   * Redacts paths in spans and error reports. Receives the path without query and the template of its route,
   * `undefined` without one. Return `undefined` for the default: variables whose name contains `key`, `token`,
   * `secret`, `password` or `code` become `REDACTED`, and without a template all segments but lower-case words.
   * @default the default redaction
   */
  readonly redactPath?: ((path: string, template: string | undefined) => string | undefined) | undefined
}

/** What an observation needs at once, and what it needs with the first request or the first work. */
type ObservationSetup = Omit<ObservationParts, 'meters' | 'convention'> & {
  /** Starts to measure, if that has not begun. */
  readonly measure: () => Pick<ObservationParts, 'meters' | 'convention'>
}

/** Nothing is measured before the first request, or the first work: applications without observation have no meters. */
export function createObservation({ measure, ...setup }: ObservationSetup): OwnObservation {
  const instruments = new Set<() => void>()
  const { clock, report, isTraced, redactPath } = setup
  const parts = lazy(() => ({ ...setup, ...measure() }))
  const operations = lazy(() => createOperationRecorders(parts(), report))
  const database = (operation: DatabaseOperation) => operations().database(operation)
  const messaging = (operation: MessagingOperation) => operations().messaging(operation)
  const endRecording = recordWrappedOperations({ database, messaging })
  const record = (request: ClientRequest) => operations().http(request)
  let requests: ServerRequests | undefined
  const observed = (): ServerRequests => {
    requests ??= new ServerRequests(parts())
    return requests
  }
  const run: RunTraced = isTraced ? traced : (_name, work) => work(undefined)
  const decorators = lazy(() => createDecorators(parts().meters, clock, run))
  return {
    prepare: () => void observed(),
    begin: (response, source, route, next) => observed().begin(response, source, route, next),
    enter: (response, source, route) => observed().enter(response, source, route),
    beginFetch: (request, source, route, next) => observed().beginFetch(request, source, route, next),
    resume: (message, next) => (requests === undefined ? next() : requests.resume(message, next)),
    excludeFromObservation: (message) => requests?.leaveToManagement(message),
    onRequestEnd: (subscriber) => observed().subscribe(subscriber),
    span: (name, work, { tags, ...options } = {}) =>
      parts()
        .meters.timer(name, tags)
        .time(() => run(name, work, options)),
    timed: (options) => decorators().timed(options),
    counted: (options) => decorators().counted(options),
    traced: (options) => decorators().traced(options),
    redactPath,
    recordClientRequest: record,
    attach(begin) {
      const stop = begin({ clock, report, record, recordOperation: database, isTraced, redactPath })
      const end = () => {
        instruments.delete(end)
        stop()
      }
      instruments.add(end)
      return end
    },
    activeRequests: (limit) => requests?.active(limit) ?? { total: 0, oldest: [] },
    close() {
      for (const end of instruments) end()
      endRecording()
    },
  }
}
