import type { ServerResponse } from 'node:http'
import { redactPath } from '../../base/redact-path.ts'
import { errorName } from '../../base/settled-work.ts'
import { pathOf } from '../../http/conventions/target.ts'
import type { Span } from '../../tracing/span.ts'
import { noteClosed, whenLost } from './lost-responses.ts'
import { ObservedRequest, type RequestObserver } from './request-record.ts'

/** Shared by duplicate installs of upkeep: one may observe a request that another handles. */
const observed: unique symbol = Symbol.for('upkeep.observed')

/** Identifies an observed request: its response, or the `Request` of a fetch server. */
export type ObservedMessage = ServerResponse | Request

interface Observed {
  [observed]?: ObservedRequest | undefined
}

type ObservedResponse = ServerResponse & Observed

/** Observes a response until it is closed. Returns `undefined` if the observer is attached to it already. */
export function attach<S>(
  observer: RequestObserver,
  response: ObservedResponse,
  startedAt: number,
  source: S,
  route: (source: S) => string | undefined,
): ObservedRequest | undefined {
  const first = response[observed]
  // One listener suffices: 'close' is emitted whether the response was sent or aborted. Prepended, since a span of
  // another instrumentation may end in one of the existing listeners.
  if (first === undefined) response.prependListener('close', endAll)
  else if (requestOf(observer, response) !== undefined) return undefined
  const request = new ObservedRequest(observer, startedAt, source, route, first)
  response[observed] = request
  return request
}

/** Like `attach`, for a `Request`; its observer detects the end itself. */
export function attachFetch<S>(
  observer: RequestObserver,
  message: Request & Observed,
  startedAt: number,
  source: S,
  route: (source: S) => string | undefined,
): ObservedRequest | undefined {
  if (requestOf(observer, message) !== undefined) return undefined
  const request = new ObservedRequest(observer, startedAt, source, route, message[observed])
  message[observed] = request
  return request
}

/** Ends the observation of a response that may never emit 'close'. */
export function watchEnd(request: ObservedRequest, response: ServerResponse): void {
  const { socket } = response.req
  request.isWatched = true
  if (response.closed || socket.destroyed) endAll.call(response)
  else whenLost(socket, response, endAll)
}

export function requestOf(observer: RequestObserver, message: ObservedMessage): ObservedRequest | undefined {
  let request = (message as Observed)[observed]
  while (request !== undefined && request.observer !== observer) request = request.next
  return request
}

/** Returns the span of a request; `undefined` if it is not traced. */
function spanOf(message: ObservedMessage): Span | undefined {
  for (let request = (message as Observed)[observed]; request !== undefined; request = request.next) {
    if (request.span !== undefined) return request.span
  }
  return undefined
}

/** Returns the trace id of a request, 32 hexadecimal digits; `undefined` if it is not traced. */
export function traceIdOf(message: ObservedMessage): string | undefined {
  return spanOf(message)?.context.traceId
}

/** Records the error that a response was created from, for error handlers, which hide it from the observation. */
export function recordError(message: ObservedMessage, error: unknown): void {
  for (let request = (message as Observed)[observed]; request !== undefined; request = request.next) {
    request.exception = errorName(error)
    request.error = error
  }
}

/**
 * Returns the redacted path of a target for reports: by `observation.redactPath` and the route if the request is
 * observed, else by default and without a route.
 */
export function reportedPath(message: ObservedMessage, target: string): string {
  const request = (message as Observed)[observed]
  const path = pathOf(target)
  return request === undefined ? redactPath(path) : request.observer.redactedPath(request, path)
}

/** Sets the route template of a request, for frameworks with their own routing. */
export function setRoute(message: ObservedMessage, template: string | undefined): void {
  for (let request = (message as Observed)[observed]; request !== undefined; request = request.next) {
    request.template = typeof template === 'string' ? template : undefined
  }
}

function endAll(this: ObservedResponse): void {
  const first = this[observed]
  this[observed] = undefined
  for (let request = first; request !== undefined; request = request.next) {
    if (request.isWatched) noteClosed(this)
    request.observer.end(request, this)
  }
}
