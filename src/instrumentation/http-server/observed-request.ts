import type { ServerResponse } from 'node:http'
import { redactPath } from '../../base/redact-path.ts'
import { errorName } from '../../base/settled-work.ts'
import { pathOf } from '../../http/conventions/target.ts'
import type { Span } from '../../tracing/span.ts'
import { whenLost } from './lost-responses.ts'
import { ObservedRequest, type RequestObserver } from './request-record.ts'

/** Shared by all copies of upkeep: one may observe a request that another answers. */
const observed: unique symbol = Symbol.for('upkeep.observed')

/** What a request is known by while it is observed: its response, or of a fetch server the request itself. */
export type ObservedMessage = ServerResponse | Request

interface Observed {
  [observed]?: ObservedRequest | undefined
}

type ObservedResponse = ServerResponse & Observed

/** Has an observer told of a response's end, once, however often it is attached: `undefined` if it was attached before. */
export function attach<S>(
  observer: RequestObserver,
  response: ObservedResponse,
  startedAt: number,
  source: S,
  route: (source: S) => string | undefined,
): ObservedRequest | undefined {
  const first = response[observed]
  // One listener is enough: a response is closed whether it was sent or cut off.
  // Before listeners that were there already: a span of another instrumentation ends in one of them.
  if (first === undefined) response.prependListener('close', endAll)
  else if (requestOf(observer, response) !== undefined) return undefined
  const request = new ObservedRequest(observer, startedAt, source, route, first)
  response[observed] = request
  return request
}

/** As `attach`, for a request of a fetch server; whose observer finds out by itself when it ends. */
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

/** Ends what is observed of a response that will not be closed any more, or not for sure. */
export function watchEnd(response: ServerResponse): void {
  const { socket } = response.req
  if (response.closed || socket.destroyed) endAll.call(response)
  else whenLost(socket, response, endAll)
}

export function requestOf(observer: RequestObserver, message: ObservedMessage): ObservedRequest | undefined {
  let request = (message as Observed)[observed]
  while (request !== undefined && request.observer !== observer) request = request.next
  return request
}

/** The span of a request, by its response or by a `Request`; `undefined` where it is not traced. */
function spanOf(message: ObservedMessage): Span | undefined {
  for (let request = (message as Observed)[observed]; request !== undefined; request = request.next) {
    if (request.span !== undefined) return request.span
  }
  return undefined
}

/** The trace in which a response is made, or a `Request` answered, 32 hexadecimal digits; `undefined` where that is not traced. */
export function traceIdOf(message: ObservedMessage): string | undefined {
  return spanOf(message)?.context.traceId
}

/** Says which error a response, or that to a `Request`, answers for. For what turns errors into answers, in front of which nobody sees them. */
export function recordError(message: ObservedMessage, error: unknown): void {
  for (let request = (message as Observed)[observed]; request !== undefined; request = request.next) {
    request.exception = errorName(error)
    request.error = error
  }
}

/**
 * Returns the path of a target as it may be reported of a request, known by its response or as a `Request`: by
 * `observation.redactPath` and the route of the management that observes it, else by default and without a route.
 */
export function reportedPath(message: ObservedMessage, target: string): string {
  const request = (message as Observed)[observed]
  const path = pathOf(target)
  return request === undefined ? redactPath(path) : request.observer.redactedPath(request, path)
}

/** Says to which template of a route a request went. For what routes requests by itself. */
export function setRoute(message: ObservedMessage, template: string | undefined): void {
  for (let request = (message as Observed)[observed]; request !== undefined; request = request.next) {
    request.template = typeof template === 'string' ? template : undefined
  }
}

function endAll(this: ObservedResponse): void {
  const first = this[observed]
  this[observed] = undefined
  for (let request = first; request !== undefined; request = request.next) request.observer.end(request, this)
}
