import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type ManagementRequest,
  notFoundResponse,
  type RequestHandler,
  reportToConsole,
  setRoute,
} from '../src/entries/adapter.ts'
import type { Management } from '../src/entries/index.ts'
import { createRouteTemplates } from './express/route-template.ts'
import type { Application, Route } from './express/router.ts'
import { joinTemplates } from './express/template-text.ts'
import { type HandleErrorsOptions, sendError, sendResponse, sendWhenReady, toManagementRequest } from './node.ts'

/** What upkeep needs of a request of Express 4 and 5. */
export interface ExpressRequest extends IncomingMessage {
  readonly baseUrl: string
  readonly protocol: string
  readonly body?: unknown
  readonly originalUrl: string
  /** Where the request is now; those of Express 4 and 5 differ in what they know of their routes. */
  readonly app?: Application | undefined
  readonly route?: Route | undefined
}

type Next = (error?: unknown) => void

/** Serves the management endpoints; any other request goes on. */
export function manage(management: Management): (req: ExpressRequest, res: ServerResponse, next: Next) => void {
  return (req, res, next) => {
    const answer = management(fromExpress(req, res))
    if (answer === undefined) {
      next()
    } else {
      management.observation.excludeFromObservation(res)
      void sendWhenReady(res, answer)
    }
  }
}

/** Serves resources; any other request goes on. */
export function serve(resources: RequestHandler): (req: ExpressRequest, res: ServerResponse, next: Next) => void {
  const { mountOf } = createRouteTemplates()
  const middleware = (req: ExpressRequest, res: ServerResponse, next: Next) => {
    const request = fromExpress(req, res)
    const answer = resources(request)
    if (answer === undefined) {
      next()
    } else {
      setRoute(res, belowMount(mountOf(middleware, req), resources.templateOf?.(request)))
      void sendWhenReady(res, answer)
    }
  }
  return middleware
}

function belowMount(mount = '/', template: string | undefined): string | undefined {
  return template === undefined ? undefined : joinTemplates([mount, template])
}

/** Observes requests, and passes each on; stands before whatever may answer. */
export function observe(management: Management): (req: ExpressRequest, res: ServerResponse, next: Next) => void {
  const { observation } = management
  const { know, templateOf } = createRouteTemplates()
  let isKnown = false
  return (req, res, next) => {
    if (!isKnown) know(req.app)
    isKnown = true
    observation.begin(res, req, templateOf, next)
  }
}

/** Responds with a 404 and an error document, to requests that nothing before has responded to. */
export function notFound(): (req: ExpressRequest, res: ServerResponse) => void {
  return (req, res) => void sendResponse(res, notFoundResponse(fromExpress(req, res)))
}

/** Errors thrown anywhere before become error documents. Express asks for it last. */
export function handleErrors({
  report = reportToConsole,
}: HandleErrorsOptions = {}): (error: unknown, req: ExpressRequest, res: ServerResponse, next: Next) => void {
  // Express knows an error handler by its four parameters.
  return (error, req, res, _next) => sendError(error, fromExpress(req, res), res, report)
}

function fromExpress(req: ExpressRequest, response: ServerResponse): ManagementRequest {
  const { protocol, baseUrl: mountPath, body: parsedBody } = req
  return toManagementRequest(req, { protocol, mountPath, parsedBody, response })
}
