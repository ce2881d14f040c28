import type { Context, MiddlewareHandler } from 'hono'
import {
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
import type { Management, Report } from '../src/entries/index.ts'
import { type HandleErrorsOptions, toBody, toManagementRequest } from './fetch.ts'

/** Serves the management endpoints; any other request goes on. */
export function manage(management: Management): MiddlewareHandler {
  return async (context, next) => {
    const answer = management(fromHono(context))
    if (answer === undefined) return next()
    management.observation.excludeFromObservation(context.req.raw)
    return respond(context, await answer)
  }
}

/** Serves resources; any other request goes on. */
export function serve(resources: RequestHandler): MiddlewareHandler {
  return async (context, next) => {
    const request = fromHono(context)
    const answer = resources(request)
    if (answer === undefined) return next()
    setRoute(context.req.raw, resources.templateOf?.(request))
    return respond(context, await answer)
  }
}

/** Observes requests; the template of a route is told by Hono. */
export function observe(management: Management): MiddlewareHandler {
  const { observation } = management
  return async (context, next) => {
    const response = await observation.beginFetch(context.req.raw, context, routeOf, async () => {
      await next()
      // What Hono has turned into an answer by itself, it does not throw.
      if (context.error !== undefined) recordError(context.req.raw, context.error)
      return context.res
    })
    if (response === context.res) return
    // Hono adds the fields of an answer to that which takes its place, as long as it is there.
    context.res = undefined
    context.res = response
  }
}

/** Responds with a 404 and an error document: `app.notFound(notFound())`. */
export function notFound(): (context: Context) => Response {
  return (context) => respond(context, notFoundResponse(fromHono(context)))
}

/** Errors become error documents: `app.onError(handleErrors())`. */
export function handleErrors({
  report = reportToConsole,
}: HandleErrorsOptions = {}): (error: Error, context: Context) => Response {
  return (error, context) => {
    recordError(context.req.raw, error)
    const reportError: Report = (message) => report(message, error)
    const request = fromHono(context)
    const respondWith = (response: ManagementResponse) => {
      for (const field of representationHeaders) context.header(field, undefined)
      return respond(context, response)
    }
    const path = reportedPath(context.req.raw, request.target)
    return respondToError(publicErrorOf(error), request, reportError, respondWith, path)
  }
}

function fromHono(context: Context) {
  return toManagementRequest(context.req.raw, {
    // Hono makes an answer where somebody asks for it.
    get requestId() {
      return context.res.headers.get('x-request-id') ?? undefined
    },
    target: dottedTarget(context),
  })
}

/** Dots in a path lead nowhere. Those that a URL has resolved, `@hono/node-server` still knows. */
function dottedTarget({ env }: Context): string | undefined {
  const target: unknown = env?.incoming?.url
  return typeof target === 'string' && dotSegment.test(target) ? target : undefined
}

/** As URLs know them, and resolve them. */
const dotSegment = /^[^?#]*\/(?:\.|%2e){1,2}(?:[/?#]|$)/i

/** What stands below all requests, such as `app.use('*', …)`, is no route. */
function routeOf({ req }: Context): string | undefined {
  const { path, method } = req.matchedRoutes[req.routeIndex] ?? {}
  return method === 'ALL' && path?.endsWith('*') ? undefined : path
}

/** An `HTTPException` has a message for the client; Hono knows it by the answer that it makes. */
function publicErrorOf(error: Error): unknown {
  if (!('getResponse' in error && 'status' in error)) return error
  return { status: error.status, message: error.message, expose: Number(error.status) < 500 }
}

function respond(context: Context, { status, headers, body }: ManagementResponse): Response {
  // Hono's type lists the statuses that it knows.
  return context.newResponse(toBody(body) as Parameters<typeof context.newResponse>[0], { status, headers } as never)
}
