import type { Context, MiddlewareHandler } from 'hono'
import type { StatusCode } from 'hono/utils/http-status'
import {
  type ForeignNames,
  handleError,
  type ManagementResponse,
  markServed,
  mountTemplate,
  notFoundResponse,
  type RequestHandler,
  recordError,
  reportToConsole,
  requireKnownOptions,
  setRoute,
} from '../src/entries/adapter.ts'
import type { Management } from '../src/entries/index.ts'
import { type HandleErrorsOptions, toBody, toManagementRequest } from './fetch.ts'
import { type HonoApplication, type HonoRoute, honoRoutes, isMount } from './hono/application-routes.ts'

export type { HonoApplication, HonoRoute }

/** Options of `observe` and `manage`. */
export interface RoutesOptions {
  /** The application, whose routes `mappings` shows: Hono does not pass it to a middleware. @default none */
  readonly app?: HonoApplication | undefined
}

/** What others call these options. */
const foreignNames: ForeignNames = { hono: 'app', router: 'app', application: 'app' }

/** Serves the management endpoints. Other requests are passed on. */
export function manage(management: Management, options: RoutesOptions = {}): MiddlewareHandler {
  requireKnownOptions('manage', options, ['app'], { foreignNames })
  const { app } = options
  registerRoutes(management, app)
  return async (context, next) => {
    const response = management(fromHono(context))
    if (response === undefined) return next()
    management.observation.excludeFromObservation(context.req.raw)
    return respond(context, await response)
  }
}

/** Serves resources. Other requests are passed on. */
export function serve(resources: RequestHandler): MiddlewareHandler {
  const middleware: MiddlewareHandler = async (context, next) => {
    const request = fromHono(context)
    const response = resources(request)
    if (response === undefined) return next()
    setRoute(context.req.raw, resources.templateOf?.(request))
    return respond(context, await response)
  }
  return markServed(middleware, resources)
}

function registerRoutes({ mappings }: Management, app: HonoApplication | undefined): void {
  if (app !== undefined) mappings.register(app, 'hono', () => honoRoutes(app))
}

/** Observes requests. Templates of routes are those of Hono. */
export function observe(management: Management, options: RoutesOptions = {}): MiddlewareHandler {
  requireKnownOptions('observe', options, ['app'], { foreignNames })
  const { app } = options
  registerRoutes(management, app)
  const { observation } = management
  observation.prepare()
  return async (context, next) => {
    const response = await observation.beginFetch(context.req.raw, context, routeOf, async () => {
      await next()
      // Hono does not throw an error for which it has created a response.
      if (context.error !== undefined) recordError(context.req.raw, context.error)
      return context.res
    })
    if (response === context.res) return
    // Hono would add the fields of the previous response to the new one.
    context.res = undefined
    context.res = response
  }
}

/** Responds with a 404 and an error document: `app.notFound(notFound())`. */
export function notFound(): (context: Context) => Response {
  return (context) => respond(context, notFoundResponse(fromHono(context)))
}

/** Converts errors to error documents: `app.onError(handleErrors())`. */
export function handleErrors({
  report = reportToConsole,
}: HandleErrorsOptions = {}): (error: Error, context: Context) => Response {
  return (error, context) => {
    return handleError(error, fromHono(context), {
      message: context.req.raw,
      report,
      publicError: publicErrorOf(error),
      removeHeader: (name) => context.header(name, undefined),
      send: (response) => respond(context, response),
    })
  }
}

function fromHono(context: Context) {
  return toManagementRequest(context.req.raw, {
    // Hono creates a response when `res` is read.
    get requestId() {
      return context.res.headers.get('x-request-id') ?? undefined
    },
    target: dottedTarget(context),
    extendIdleTimeout: (milliseconds) => extendIdleTimeout(context, milliseconds),
  })
}

/** A connection of `@hono/node-server`; other servers have no limit that can be changed from here. */
interface Socket {
  readonly timeout?: number | undefined
  setTimeout(milliseconds: number): void
}

/** Raises the idle limit until the response is closed; with keep-alive node:http sets its own when it is finished. */
function extendIdleTimeout({ env }: Context, milliseconds: number): void {
  const socket: Socket | undefined = env?.incoming?.socket
  const limit = socket?.timeout ?? 0
  if (socket === undefined || limit === 0 || limit >= milliseconds) return
  socket.setTimeout(milliseconds)
  env?.outgoing?.once?.('close', () => {
    if (socket.timeout === milliseconds) socket.setTimeout(limit)
  })
}

/** Returns the target with the dot segments that a URL has resolved, which `@hono/node-server` still has. */
function dottedTarget({ env }: Context): string | undefined {
  const target: unknown = env?.incoming?.url
  return typeof target === 'string' && dotSegment.test(target) ? target : undefined
}

/** The dot segments that URLs resolve. */
const dotSegment = /^[^?#]*\/(?:\.|%2e){1,2}(?:[/?#]|$)/i

/** A middleware, such as `app.use('/admin/*', …)`, is a mount and not a route. */
function routeOf({ req }: Context): string | undefined {
  const route = req.matchedRoutes[req.routeIndex]
  return route !== undefined && isMount(route) ? mountTemplate(route.path) : route?.path
}

/** The message of an `HTTPException` is for the client. It is recognized by its method, as Hono does. */
function publicErrorOf(error: Error): unknown {
  if (!('getResponse' in error && 'status' in error)) return error
  return { status: error.status, message: error.message, expose: Number(error.status) < 500 }
}

function respond(context: Context, { status, headers, body }: ManagementResponse): Response {
  // The types of Hono list statuses, and lack bodies that are streams of Node.
  const init = { status: status as StatusCode, headers }
  return context.newResponse(toBody(body) as Parameters<typeof context.newResponse>[0], init)
}
