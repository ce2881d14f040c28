import {
  handleError,
  type ManagementResponse,
  notFoundResponse,
  type RequestHandler,
  reportToConsole,
  requireKnownOptions,
  setRoute,
} from '../src/entries/adapter.ts'
import type { Management, MaybePromise, Report } from '../src/entries/index.ts'
import { type RequestSurroundings, toManagementRequest } from './fetch/management-request.ts'
import { toBody } from './fetch/response-body.ts'

export type { RequestSurroundings }
export { toBody, toManagementRequest }

/** Returns the response to a request, or `undefined` if the request is not for it and has to be passed on. */
export type FetchHandler = (request: Request) => MaybePromise<Response> | undefined

/** Options of `handleErrors`. */
export interface HandleErrorsOptions {
  /**
   * Called with errors of the service itself (5xx). A management can be passed as these options. @default console.error
   */
  readonly report?: Report | undefined
}

/** Serves the management endpoints. */
export function manage(management: Management): FetchHandler {
  return (request) => {
    const response = management(toManagementRequest(request))
    if (response !== undefined) management.observation.excludeFromObservation(request)
    return response && toResponseWhenReady(response)
  }
}

/** Serves resources. */
export function serve(resources: RequestHandler): FetchHandler {
  return (request) => {
    const received = toManagementRequest(request)
    const response = resources(received)
    if (response !== undefined) setRoute(request, resources.templateOf?.(received))
    return response && toResponseWhenReady(response)
  }
}

/** Options of `observe`. */
export interface ObserveOptions {
  /**
   * Returns the template of the route of a request, such as `/orders/:id`, or `undefined` if it has none. Must not
   * return the path of the request. Called when the response has ended. @default a function that returns `undefined`
   */
  readonly route?: ((request: Request) => string | undefined) | undefined
}

/**
 * Observes requests. Called with each request and the function that handles it; the returned `Response` must be sent.
 */
export function observe(
  management: Management,
  options: ObserveOptions = {},
): (request: Request, next: () => MaybePromise<Response>) => MaybePromise<Response> {
  requireKnownOptions('observe', options, ['route'], {
    foreignNames: { template: 'route', path: 'route', uri: 'route', getRoute: 'route' },
  })
  const { route = () => undefined } = options
  const { observation } = management
  observation.prepare()
  return (request, next) => observation.beginFetch(request, request, route, next)
}

/** Responds with a 404 and an error document. */
export function notFound(): (request: Request) => Response {
  return (request) => toResponse(notFoundResponse(toManagementRequest(request)))
}

/** Wraps a handler, with any further arguments that a server passes: its errors become error documents. */
export function handleErrors<A extends unknown[]>(
  handler: (request: Request, ...rest: A) => MaybePromise<Response>,
  { report = reportToConsole }: HandleErrorsOptions = {},
): (request: Request, ...rest: A) => Promise<Response> {
  return async (request, ...rest) => {
    try {
      return await handler(request, ...rest)
    } catch (error) {
      return handleError(error, toManagementRequest(request), { message: request, report, send: toResponse })
    }
  }
}

/** Returns a response of the core as a `Response`. */
export function toResponse({ status, headers, body }: ManagementResponse): Response {
  return new Response(toBody(body), { status, headers })
}

function toResponseWhenReady(response: MaybePromise<ManagementResponse>): MaybePromise<Response> {
  return response instanceof Promise ? response.then(toResponse) : toResponse(response)
}
