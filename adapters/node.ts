import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import {
  errorResponse,
  type ManagementRequest,
  type ManagementResponse,
  notFoundResponse,
  type RequestHandler,
  recordError,
  reportedPath,
  reportToConsole,
  representationHeaders,
  respondToError,
  setRoute,
} from '../src/entries/adapter.ts'
import { HttpError, type Management, type Report } from '../src/entries/index.ts'
import type { Refuse } from '../src/lifecycle/client-error.ts'
import { handleClientErrors as handleErrorsOfClients } from '../src/lifecycle/client-error.ts'
import { type Listening, type ListenOptions, openServer } from '../src/lifecycle/open-server.ts'
import { startWatchdog, type Watchdog, type WatchdogOptions, type WatchedManagement } from '../src/watch/watchdog.ts'
import { type RequestSurroundings, toManagementRequest } from './node/management-request.ts'
import { sendResponse, sendWhenReady } from './node/send-response.ts'

export {
  type GracefulShutdown,
  type ManagedApplication,
  shutdownGracefully,
} from '../src/lifecycle/shutdown/shutdown.ts'
export type { ShutdownHook, ShutdownOptions } from '../src/lifecycle/shutdown/shutdown-plan.ts'
export type { ShutdownStep } from '../src/lifecycle/shutdown/shutdown-step.ts'
export type { Listening, ListenOptions, RequestSurroundings, Watchdog, WatchdogOptions, WatchedManagement }
export { sendResponse, sendWhenReady, toManagementRequest }

/**
 * A request handler of node:http; `next` is where requests go that it does not answer. What `next` returns it returns, so
 * that `handleErrors` hears of a promise that rejects.
 */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => unknown) => unknown

export interface HandleErrorsOptions {
  /** Called with each error that is the service's own fault. A management has one, and can be passed as it is. @default console.error */
  readonly report?: Report | undefined
}

/** Serves the management endpoints; any other request goes to `next`, or gets a 404 where there is none. */
export function manage(management: Management): NodeHandler {
  return (req, res, next) => {
    const request = toManagementRequest(req, { response: res })
    const answer = management(request)
    if (answer !== undefined) {
      management.observation.excludeFromObservation(res)
      return sendWhenReady(res, answer)
    }
    if (next !== undefined) return next()
    return sendResponse(res, notFoundResponse(request))
  }
}

/** Serves resources; any other request goes to `next`, or gets a 404 where there is none. */
export function serve(resources: RequestHandler): NodeHandler {
  return (req, res, next) => {
    const request = toManagementRequest(req, { response: res })
    const answer = resources(request)
    if (answer !== undefined) {
      setRoute(res, resources.templateOf?.(request))
      return sendWhenReady(res, answer)
    }
    if (next !== undefined) return next()
    return sendResponse(res, notFoundResponse(request))
  }
}

export interface ObserveOptions {
  /**
   * Tells the template of the route that a request went to, such as `/orders/:id`, when its answer is closed; `undefined`
   * where there was none. Never a path as it was asked for. @default knows of no route
   */
  readonly route?: ((req: IncomingMessage) => string | undefined) | undefined
}

/** Observes requests, and passes each on to `next`. */
export function observe(management: Management, { route = nothing }: ObserveOptions = {}): NodeHandler {
  const { observation } = management
  return (req, res, next) => {
    return observation.begin(res, req, route, next ?? nothing)
  }
}

function nothing(): undefined {
  return undefined
}

/** Responds with a 404 and an error document, to requests that nothing else has responded to. */
export function notFound(): NodeHandler {
  return (req, res) => sendResponse(res, notFoundResponse(toManagementRequest(req, { response: res })))
}

/** Wraps a handler: what it throws, or rejects with, becomes an error document. */
export function handleErrors(
  handler: (req: IncomingMessage, res: ServerResponse) => unknown,
  { report = reportToConsole }: HandleErrorsOptions = {},
): (req: IncomingMessage, res: ServerResponse) => void {
  const run = async (req: IncomingMessage, res: ServerResponse) => {
    try {
      await handler(req, res)
    } catch (error) {
      sendError(error, toManagementRequest(req, { response: res }), res, report)
    }
  }
  return (req, res) => {
    run(req, res).catch(() => res.destroy())
  }
}

/**
 * Responds with an error document, as `listen` does, to what a server of your own receives that is no HTTP request, or no
 * whole one in time, and closes the connection.
 */
export function handleClientErrors(server: Server): void {
  handleErrorsOfClients(server, refuse)
}

/**
 * Serves the management endpoints, and nothing else, on a port of their own. Rejects when it cannot listen there.
 *
 * @throws RangeError naming the duration that is none.
 */
export function listen(management: Management, options: ListenOptions): Promise<Listening> {
  return openServer(manage(management), refuse, options)
}

/**
 * Answers `health/liveness` on a port of its own even while the event loop is blocked: 503 once it has not turned for
 * longer than `stall`, with how long and, where the inspector allows it, by what it is blocked; 200 again when it turns.
 * 503 as well once the management is `broken`. Rejects when it cannot listen there.
 *
 * @throws RangeError when `stall` is no duration.
 */
export function watchdog(management: WatchedManagement, options: WatchdogOptions): Promise<Watchdog> {
  return startWatchdog(refuse, management, options)
}

/** Nothing is known of a request that could not be read. */
const unread: ManagementRequest = {
  method: 'GET',
  target: '',
  headers: {},
  body: () => ({ kind: 'parsed', value: undefined }),
  base: '',
}

const refuse: Refuse = (status, detail, headers = {}) =>
  errorResponse(new HttpError(status, detail, { headers }), unread)

/** Answers with an error document in place of whatever was being prepared; an answer that has begun is cut off. */
export function sendError(error: unknown, request: ManagementRequest, res: ServerResponse, report: Report): void {
  recordError(res, error)
  const respondWith = (response: ManagementResponse) => {
    if (res.headersSent) {
      res.destroy()
      return
    }
    for (const field of representationHeaders) res.removeHeader(field)
    void sendResponse(res, response)
  }
  respondToError(error, request, report, respondWith, reportedPath(res, request.target))
}
