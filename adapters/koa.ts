import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import {
  handleError,
  koaRoutes,
  type ManagementRequest,
  type ManagementResponse,
  markServed,
  notFoundResponse,
  type RequestHandler,
  recordError,
  reportToConsole,
  setRoute,
} from '../src/entries/adapter.ts'
import type { Management, Report } from '../src/entries/index.ts'
import { templateOf } from './koa/route-template.ts'
import { type HandleErrorsOptions, toManagementRequest } from './node.ts'

/** The members of a Koa 2 or 3 context that the adapter uses. */
export interface KoaContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly request: { readonly body?: unknown }
  readonly app: { emit(event: 'error', error: unknown, context: unknown): unknown }
  readonly protocol: string
  readonly headerSent: boolean
  /** Set by @koa/router: the template of the route. */
  readonly _matchedRoute?: string | RegExp | undefined
  readonly response: { readonly status: number; readonly _explicitStatus?: boolean | undefined }
  readonly originalUrl: string
  /** Set by koa-mount. */
  mountPath?: string | undefined
  url: string
  status: number
  body: unknown
  set(fields: Record<string, string>): void
  remove(field: string): void
}

/** A middleware of Koa 2 and 3. */
export type KoaMiddleware = (context: KoaContext, next: () => Promise<unknown>) => Promise<void>

/** Serves the management endpoints. Other requests are passed on. */
export function manage(management: Management): KoaMiddleware {
  const { know } = createRouteRegistration(management)
  return async (context, next) => {
    know(context)
    const response = management(fromKoa(context))
    if (response === undefined) {
      await next()
    } else {
      management.observation.excludeFromObservation(context.res)
      respond(context, response instanceof Promise ? await response : response)
    }
  }
}

/** Serves resources. Other requests are passed on. */
export function serve(resources: RequestHandler): KoaMiddleware {
  const middleware: KoaMiddleware = async (context, next) => {
    const request = fromKoa(context)
    const response = resources(request)
    if (response === undefined) {
      await next()
    } else {
      setRoute(context.res, belowMount(context, resources.templateOf?.(request)))
      respond(context, response instanceof Promise ? await response : response)
    }
  }
  return markServed(middleware, resources)
}

/** Registers the routes of the application at its first request: a middleware does not know its application before. */
function createRouteRegistration({ mappings }: Management) {
  let isKnown = false
  const know = ({ app }: KoaContext): void => {
    if (!isKnown) mappings.register(app, 'koa', () => koaRoutes(app) ?? [])
    isKnown = true
  }
  return { know }
}

/** The mount path is a template: koa-mount accepts no patterns. */
function belowMount({ mountPath = '' }: KoaContext, template: string | undefined): string | undefined {
  return template === undefined ? undefined : mountPath + template
}

/** Observes requests. Templates of routes are those of @koa/router, of mounts those of koa-mount. */
export function observe(management: Management): KoaMiddleware {
  const { observation } = management
  observation.prepare()
  const { know } = createRouteRegistration(management)
  // Named: `upkeep doctor` finds its place among the middleware.
  return async function upkeepObserve(context, next) {
    know(context)
    try {
      await observation.begin(context.res, context, templateOf, next)
    } catch (error) {
      recordError(context.res, error)
      throw error
    }
  }
}

/** Responds with a 404 and an error document. Comes last. */
export function notFound(): KoaMiddleware {
  return async (context) => {
    // koa-mount restores the target where a mount has passed the request on, but not its path.
    if (context.url === context.originalUrl) context.mountPath = undefined
    respond(context, notFoundResponse(fromKoa(context)))
  }
}

/**
 * Converts errors of the middleware behind it to error documents. Without `report`, errors of the service itself (5xx)
 * are emitted by the app as `error`.
 */
export function handleErrors({ report }: HandleErrorsOptions = {}): KoaMiddleware {
  return async (context, next) => {
    try {
      await next()
    } catch (error) {
      if (context.headerSent) {
        recordError(context.res, error)
        throw error
      }
      handleError(error, fromKoa(context), {
        message: context.res,
        report: report ?? emitTo(context),
        removeHeader: (name) => context.remove(name),
        send: (response) => respond(context, response),
      })
    }
  }
}

/** Koa's own listener throws if the cause is not an `Error`. */
function emitTo(context: KoaContext): Report {
  return (message, cause) => {
    try {
      context.app.emit('error', cause, context)
    } catch {
      reportToConsole(message, cause)
    }
  }
}

function fromKoa(context: KoaContext): ManagementRequest {
  const { req, res, url, protocol, mountPath, request } = context
  return toManagementRequest(req, { target: url, protocol, mountPath, parsedBody: request.body, response: res })
}

function respond(context: KoaContext, { status, headers, body }: ManagementResponse): void {
  context.status = status
  // Koa changes the status to 204 for a body of null, except for HEAD; and without a body it sends the reason phrase.
  if (body !== null)
    context.body = typeof body === 'string' || body instanceof Uint8Array ? body : stream(context, body)
  else if (headers['Content-Length'] === '0') context.body = ''
  context.remove('Content-Type')
  context.set(headers)
}

/** Closes the connection if streamed content fails: Koa 2 leaves the response open, and the client waiting. */
function stream({ res }: KoaContext, content: AsyncIterable<Uint8Array>): Readable {
  return Readable.from(content).once('error', () => {
    if (res.headersSent) res.destroy()
  })
}
