import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Management } from 'upkeep'
import { notFoundResponse, reportToConsole } from 'upkeep/adapter'
import { type HandleErrorsOptions, sendError, sendResponse, sendWhenReady, toManagementRequest } from 'upkeep/node'

/** What a request has beside node:http's own, once it is inside of a router. */
interface RouterRequest extends IncomingMessage {
  readonly baseUrl?: string
  readonly body?: unknown
  readonly route?: { readonly path: unknown }
}

type Next = (error?: unknown) => void

/** Serves the management endpoints; any other request goes on. */
export function manage(management: Management) {
  return (req: RouterRequest, res: ServerResponse, next: Next): void => {
    const answer = management(fromRouter(req, res))
    if (answer === undefined) {
      next()
    } else {
      management.observation.excludeFromObservation(res)
      void sendWhenReady(res, answer)
    }
  }
}

/** Observes requests, and passes each on; stands before whatever may answer. */
export function observe({ observation }: Management) {
  return (req: RouterRequest, res: ServerResponse, next: Next): void => {
    observation.begin(res, req, templateOf, next)
  }
}

function templateOf({ baseUrl = '', route }: RouterRequest): string | undefined {
  return route === undefined ? undefined : baseUrl + route.path
}

/** Responds with a 404 and an error document, to requests that nothing before has responded to. */
export function notFound() {
  return (req: RouterRequest, res: ServerResponse): void =>
    void sendResponse(res, notFoundResponse(fromRouter(req, res)))
}

/** Errors thrown anywhere before become error documents; stands last. */
export function handleErrors({ report = reportToConsole }: HandleErrorsOptions = {}) {
  return (error: unknown, req: RouterRequest, res: ServerResponse, _next: Next): void =>
    sendError(error, fromRouter(req, res), res, report)
}

function fromRouter(req: RouterRequest, response: ServerResponse) {
  return toManagementRequest(req, { mountPath: req.baseUrl, parsedBody: req.body, response })
}
