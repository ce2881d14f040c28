import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  expressRoutes,
  type ManagementRequest,
  markServed,
  notFoundResponse,
  type RequestHandler,
  reportToConsole,
  setRoute,
} from '../src/entries/adapter.ts'
import type { Management } from '../src/entries/index.ts'
import { createRouteTemplates } from './express/route-template.ts'
import type { ExpressApplication, ExpressPath, ExpressRoute } from './express/router.ts'
import { joinTemplates } from './express/template-text.ts'
import { type HandleErrorsOptions, sendError, sendResponse, sendWhenReady, toManagementRequest } from './node.ts'

export type { ExpressApplication, ExpressPath, ExpressRoute }

/** The members of an Express 4 or 5 request that the adapter uses. */
export interface ExpressRequest extends IncomingMessage {
  readonly baseUrl: string
  readonly protocol: string
  readonly body?: unknown
  readonly originalUrl: string
  /** The application that handles the request; Express 4 and 5 store their routes in different members. */
  readonly app?: ExpressApplication | undefined
  readonly route?: ExpressRoute | undefined
}

/** Passes the request to the next handler, or an error to the error handlers. */
export type NextFunction = (error?: unknown) => void

/** Serves the management endpoints. Other requests are passed on. */
export function manage(management: Management): (req: ExpressRequest, res: ServerResponse, next: NextFunction) => void {
  let isKnown = false
  return (req, res, next) => {
    if (!isKnown) registerRoutes(management, req.app)
    isKnown = true
    const response = management(fromExpress(req, res))
    if (response === undefined) {
      next()
    } else {
      management.observation.excludeFromObservation(res)
      void sendWhenReady(res, response)
    }
  }
}

/** Serves resources. Other requests are passed on. */
export function serve(
  resources: RequestHandler,
): (req: ExpressRequest, res: ServerResponse, next: NextFunction) => void {
  const { mountOf } = createRouteTemplates()
  const middleware = (req: ExpressRequest, res: ServerResponse, next: NextFunction) => {
    const request = fromExpress(req, res)
    const response = resources(request)
    if (response === undefined) {
      next()
    } else {
      setRoute(res, belowMount(mountOf(middleware, req), resources.templateOf?.(request)))
      void sendWhenReady(res, response)
    }
  }
  return markServed(middleware, resources)
}

function registerRoutes({ mappings }: Management, app: ExpressApplication | undefined): void {
  if (app === undefined) return
  mappings.register(app, 'express', () => expressRoutes(app) ?? [])
}

function belowMount(mount = '/', template: string | undefined): string | undefined {
  return template === undefined ? undefined : joinTemplates([mount, template])
}

/** Observes requests. Comes before everything that may respond. */
export function observe(
  management: Management,
): (req: ExpressRequest, res: ServerResponse, next: NextFunction) => void {
  const { observation } = management
  observation.prepare()
  const { know, templateOf } = createRouteTemplates()
  // The routes of the application are read once, at its first request.
  let isKnown = false
  // Named: `upkeep doctor` finds its place among the handlers.
  return function upkeepObserve(req, res, next) {
    if (!isKnown) {
      know(req.app)
      registerRoutes(management, req.app)
    }
    isKnown = true
    observation.begin(res, req, templateOf, next)
  }
}

/** Responds with a 404 and an error document. Comes last. */
export function notFound(): (req: ExpressRequest, res: ServerResponse) => void {
  return (req, res) => void sendResponse(res, notFoundResponse(fromExpress(req, res)))
}

/** Converts errors to error documents. Comes last. */
export function handleErrors({
  report = reportToConsole,
}: HandleErrorsOptions = {}): (error: unknown, req: ExpressRequest, res: ServerResponse, next: NextFunction) => void {
  // Express recognizes an error handler by its four parameters.
  return (error, req, res, _next) => sendError(error, fromExpress(req, res), res, report)
}

function fromExpress(req: ExpressRequest, response: ServerResponse): ManagementRequest {
  const { protocol, baseUrl: mountPath, body: parsedBody } = req
  return toManagementRequest(req, { protocol, mountPath, parsedBody, response })
}
