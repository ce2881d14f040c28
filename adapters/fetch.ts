import {
  type ManagementResponse,
  notFoundResponse,
  type RequestHandler,
  recordError,
  reportedPath,
  reportToConsole,
  respondToError,
  setRoute,
} from '../src/entries/adapter.ts'
import type { Management, MaybePromise, Report } from '../src/entries/index.ts'
import { toManagementRequest } from './fetch/management-request.ts'
import { toBody } from './fetch/response-body.ts'

export { toBody, toManagementRequest }

/** Answers the requests that are for it; `undefined` for any other, which has to be passed on. */
export type FetchHandler = (request: Request) => MaybePromise<Response> | undefined

export interface HandleErrorsOptions {
  /** Called with each error that is the service's own fault. A management has one, and can be passed as it is. @default console.error */
  readonly report?: Report | undefined
}

/** Serves the management endpoints; `undefined` for any other request. */
export function manage(management: Management): FetchHandler {
  return (request) => {
    const answer = management(toManagementRequest(request))
    if (answer !== undefined) management.observation.excludeFromObservation(request)
    return answer && toResponseWhenReady(answer)
  }
}

/** Serves resources; `undefined` for any other request. */
export function serve(resources: RequestHandler): FetchHandler {
  return (request) => {
    const asked = toManagementRequest(request)
    const answer = resources(asked)
    if (answer !== undefined) setRoute(request, resources.templateOf?.(asked))
    return answer && toResponseWhenReady(answer)
  }
}

export interface ObserveOptions {
  /**
   * Tells the template of the route that a request went to, such as `/orders/:id`, when it has been answered; `undefined`
   * where there was none. Never a path as it was asked for. @default knows of no route
   */
  readonly route?: ((request: Request) => string | undefined) | undefined
}

/** Observes requests, each answered by what it is called with; what that answers is to be sent as it comes out of here. */
export function observe(
  management: Management,
  { route = () => undefined }: ObserveOptions = {},
): (request: Request, next: () => MaybePromise<Response>) => MaybePromise<Response> {
  const { observation } = management
  return (request, next) => observation.beginFetch(request, request, route, next)
}

/** Responds with a 404 and an error document. */
export function notFound(): (request: Request) => Response {
  return (request) => toResponse(notFoundResponse(toManagementRequest(request)))
}

/** Wraps a handler, whatever a server calls it with beside the request: what it throws becomes an error document. */
export function handleErrors<A extends unknown[]>(
  handler: (request: Request, ...rest: A) => MaybePromise<Response>,
  { report = reportToConsole }: HandleErrorsOptions = {},
): (request: Request, ...rest: A) => Promise<Response> {
  return async (request, ...rest) => {
    try {
      return await handler(request, ...rest)
    } catch (error) {
      recordError(request, error)
      const asked = toManagementRequest(request)
      return respondToError(error, asked, report, toResponse, reportedPath(request, asked.target))
    }
  }
}

/** An answer as a `Response`. */
export function toResponse({ status, headers, body }: ManagementResponse): Response {
  return new Response(toBody(body), { status, headers })
}

function toResponseWhenReady(answer: MaybePromise<ManagementResponse>): MaybePromise<Response> {
  return answer instanceof Promise ? answer.then(toResponse) : toResponse(answer)
}
