import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import {
  handleError,
  type ManagementRequest,
  type ManagementResponse,
  notFoundResponse,
  type RequestHandler,
  reportToConsole,
  requireKnownOptions,
  setRoute,
} from '../src/entries/adapter.ts'
import type { Authorize, Management, Report } from '../src/entries/index.ts'
import { handleClientErrors as handleErrorsOfClients } from '../src/lifecycle/client-error.ts'
import { type Listening, type ListenOptions, openServer } from '../src/lifecycle/open-server.ts'
import { refuse } from '../src/lifecycle/refuse.ts'
import type { TlsFiles } from '../src/lifecycle/tls-files.ts'
import { startWatchdog, type Watchdog, type WatchdogOptions, type WatchedManagement } from '../src/watch/watchdog.ts'
import { principalOf } from './node/client-certificate.ts'
import { incomingMessageOf, type RequestSurroundings, toManagementRequest } from './node/management-request.ts'
import { sendResponse, sendWhenReady } from './node/send-response.ts'

export {
  type GracefulShutdown,
  type ManagedApplication,
  shutdownGracefully,
} from '../src/lifecycle/shutdown/shutdown.ts'
export type { ShutdownHook, ShutdownOptions, ShutdownStep } from '../src/lifecycle/shutdown/shutdown-plan.ts'
export type { DiagnosticThread, ExpectBlock } from '../src/watch/diagnostics/diagnostics.ts'
export type { HeapDumpOptions } from '../src/watch/heap/heap-dump.ts'
export type { ProfileOptions } from '../src/watch/profile/profile-options.ts'
export type { Capture, CaptureRule } from '../src/watch/recorder/capture.ts'
export type { ErrorBurstOptions, RecorderOptions } from '../src/watch/recorder/recorder-options.ts'
export type { Listening, ListenOptions, RequestSurroundings, TlsFiles, Watchdog, WatchdogOptions, WatchedManagement }
export { incomingMessageOf, sendResponse, sendWhenReady, toManagementRequest }

/**
 * A request handler of node:http. Calls `next` for requests that it does not handle, and returns what `next` returns,
 * so that `handleErrors` receives a promise that rejects.
 */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => unknown) => unknown

/** Options of `handleErrors`. */
export interface HandleErrorsOptions {
  /**
   * Called with errors of the service itself (5xx). A management can be passed as these options. @default console.error
   */
  readonly report?: Report | undefined
}

/** Serves the management endpoints. Calls `next` for other requests; without `next` they receive a 404. */
export function manage(management: Management): NodeHandler {
  return (req, res, next) => {
    const request = toManagementRequest(req, { response: res })
    const response = management(request)
    if (response !== undefined) {
      management.observation.excludeFromObservation(res)
      return sendWhenReady(res, response)
    }
    if (next !== undefined) return next()
    return sendResponse(res, notFoundResponse(request))
  }
}

/** Serves resources. Calls `next` for other requests; without `next` they receive a 404. */
export function serve(resources: RequestHandler): NodeHandler {
  return (req, res, next) => {
    const request = toManagementRequest(req, { response: res })
    const response = resources(request)
    if (response !== undefined) {
      setRoute(res, resources.templateOf?.(request))
      return sendWhenReady(res, response)
    }
    if (next !== undefined) return next()
    return sendResponse(res, notFoundResponse(request))
  }
}

/** Options of `observe`. */
export interface ObserveOptions {
  /**
   * Returns the template of the route of a request, such as `/orders/:id`, or `undefined` if it has none. Must not
   * return the path of the request. Called when the response is closed. @default a function that returns `undefined`
   */
  readonly route?: ((req: IncomingMessage) => string | undefined) | undefined
}

/** Observes each request, and calls `next`. */
export function observe(management: Management, options: ObserveOptions = {}): NodeHandler {
  requireKnownOptions('observe', options, ['route'], {
    foreignNames: { template: 'route', path: 'route', uri: 'route', getRoute: 'route' },
  })
  const { route = nothing } = options
  const { observation } = management
  observation.prepare()
  return (req, res, next) => {
    return observation.begin(res, req, route, next ?? nothing)
  }
}

function nothing(): undefined {
  return undefined
}

/** Responds with a 404 and an error document. For requests that nothing else handles. */
export function notFound(): NodeHandler {
  return (req, res) => sendResponse(res, notFoundResponse(toManagementRequest(req, { response: res })))
}

/** Wraps a handler: an error that it throws or rejects with becomes an error document. */
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
 * Responds with an error document, as `listen` does, when a server of your own receives something that is not an HTTP
 * request, or an incomplete one, and closes the connection.
 */
export function handleClientErrors(server: Server): void {
  handleErrorsOfClients(server, refuse)
}

/**
 * Authorizes a request whose connection has a certificate of an authority that the server trusts, as those of `listen`
 * with `clientCaFile` have. The principal has the common name (CN) of its subject, and no roles.
 */
export function clientCertificate(): Authorize {
  return (request) => principalOf(incomingMessageOf(request)?.socket)
}

/**
 * Serves `health/liveness` on a port of its own, even while the event loop is blocked. Responds with 503 if it has been
 * blocked for longer than `stall`, with the duration and, if the inspector is available, the stack; with 200 when it is
 * no longer blocked. Also responds with 503 after `availability.markBroken`. Rejects if it cannot listen there, and
 * with RangeError for an invalid duration.
 */
export function watchdog(management: WatchedManagement, options: WatchdogOptions): Promise<Watchdog> {
  return startWatchdog(refuse, management, options)
}

/**
 * Serves only the management endpoints, on a port of their own. Rejects if it cannot listen there, with RangeError for
 * an invalid duration or limit, and with TypeError for a file of `tls` that cannot be read.
 */
export function listen(management: Management, options: ListenOptions): Promise<Listening> {
  return openServer(manage(management), refuse, options, { report: management.report })
}

/** Sends an error document in place of the response in preparation; a response that has begun is cut off. */
export function sendError(error: unknown, request: ManagementRequest, res: ServerResponse, report: Report): void {
  const removeHeader = res.headersSent ? undefined : (name: string) => res.removeHeader(name)
  const send = (response: ManagementResponse): void => {
    if (res.writableEnded) return
    if (res.headersSent) res.destroy()
    else void sendResponse(res, response)
  }
  handleError(error, request, { message: res, report, removeHeader, send })
}
