import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Management } from 'upkeep'
import { notFoundResponse, reportToConsole } from 'upkeep/adapter'
import { type HandleErrorsOptions, sendError, sendResponse, sendWhenReady, toManagementRequest } from 'upkeep/node'

/** A request inside a router: what the router adds to that of node:http. */
interface RouterRequest extends IncomingMessage {
  readonly baseUrl?: string
  readonly body?: unknown
  readonly route?: { readonly path: unknown }
}

type Next = (error?: unknown) => void

/** Serves the management endpoints; calls `next` for other requests. */
export function manage(management: Management) {
  return (req: RouterRequest, res: ServerResponse, next: Next): void => {
    const response = management(fromRouter(req, res))
    if (response === undefined) {
      next()
    } else {
      management.observation.excludeFromObservation(res)
      void sendWhenReady(res, response)
    }
  }
}

/** Observes requests; registered before everything that may respond. */
export function observe({ observation }: Management) {
  return (req: RouterRequest, res: ServerResponse, next: Next): void => {
    observation.begin(res, req, templateOf, next)
  }
}

function templateOf({ baseUrl = '', route }: RouterRequest): string | undefined {
  return route === undefined ? undefined : baseUrl + route.path
}

/** Responds with 404 and an error document; registered after all routes. */
export function notFound() {
  return (req: RouterRequest, res: ServerResponse): void =>
    void sendResponse(res, notFoundResponse(fromRouter(req, res)))
}

/** Sends error documents for errors of everything registered before; registered last. */
export function handleErrors({ report = reportToConsole }: HandleErrorsOptions = {}) {
  return (error: unknown, req: RouterRequest, res: ServerResponse, _next: Next): void =>
    sendError(error, fromRouter(req, res), res, report)
}

function fromRouter(req: RouterRequest, response: ServerResponse) {
  return toManagementRequest(req, { mountPath: req.baseUrl, parsedBody: req.body, response })
}
