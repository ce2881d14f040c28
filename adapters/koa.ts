import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import {
  type ManagementRequest,
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
import { type HandleErrorsOptions, toManagementRequest } from './node.ts'

/** What upkeep needs of a context of Koa 2 and 3. */
export interface KoaContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly request: { readonly body?: unknown }
  readonly app: { emit(event: 'error', error: unknown, context: unknown): unknown }
  readonly protocol: string
  readonly headerSent: boolean
  /** Set by koa-mount. */
  readonly mountPath?: string | undefined
  /** Set by @koa/router: the template of the route. */
  readonly _matchedRoute?: string | RegExp | undefined
  url: string
  status: number
  body: unknown
  set(fields: Record<string, string>): void
  remove(field: string): void
}

type Middleware = (context: KoaContext, next: () => Promise<unknown>) => Promise<void>

/** Serves the management endpoints; any other request goes on. */
export function manage(management: Management): Middleware {
  return async (context, next) => {
    const answer = management(fromKoa(context))
    if (answer === undefined) {
      await next()
    } else {
      management.observation.excludeFromObservation(context.res)
      respond(context, answer instanceof Promise ? await answer : answer)
    }
  }
}

/** Serves resources; any other request goes on. */
export function serve(resources: RequestHandler): Middleware {
  return async (context, next) => {
    const request = fromKoa(context)
    const answer = resources(request)
    if (answer === undefined) {
      await next()
    } else {
      setRoute(context.res, belowMount(context, resources.templateOf?.(request)))
      respond(context, answer instanceof Promise ? await answer : answer)
    }
  }
}

/** koa-mount takes no patterns: what is asked for is what it was given. */
function belowMount({ mountPath = '' }: KoaContext, template: string | undefined): string | undefined {
  return template === undefined ? undefined : mountPath + template
}

/** Observes requests; the template of a route is told by @koa/router. */
export function observe(management: Management): Middleware {
  const { observation } = management
  return async (context, next) => {
    try {
      await observation.begin(context.res, context, matchedRoute, next)
    } catch (error) {
      recordError(context.res, error)
      throw error
    }
  }
}

function matchedRoute({ _matchedRoute }: KoaContext): string | undefined {
  return _matchedRoute === undefined ? undefined : String(_matchedRoute)
}

/** Responds with a 404 and an error document, to requests that nothing before has responded to. */
export function notFound(): Middleware {
  return async (context) => respond(context, notFoundResponse(fromKoa(context)))
}

/**
 * Errors thrown anywhere behind it become error documents. Without `report`, those that are the service's own fault are
 * emitted by the app as `error`.
 */
export function handleErrors({ report }: HandleErrorsOptions = {}): Middleware {
  return async (context, next) => {
    try {
      await next()
    } catch (error) {
      recordError(context.res, error)
      if (context.headerSent) throw error
      const asked = fromKoa(context)
      const respondWith = (response: ManagementResponse) => {
        for (const field of representationHeaders) context.remove(field)
        respond(context, response)
      }
      const path = reportedPath(context.res, asked.target)
      respondToError(error, asked, report ?? emitFrom(context), respondWith, path)
    }
  }
}

/** Koa's own listener throws for what is not an `Error`. */
function emitFrom(context: KoaContext): Report {
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
  // Koa takes a body of null for 204, and knows itself that HEAD has none. To nothing else it would add the words of a status.
  if (body !== null)
    context.body = typeof body === 'string' || body instanceof Uint8Array ? body : stream(context, body)
  else if (headers['Content-Length'] === '0') context.body = ''
  context.remove('Content-Type')
  context.set(headers)
}

/** Koa 2 would leave an answer open whose content fails midway, and a client waiting for the rest of it. */
function stream({ res }: KoaContext, content: AsyncIterable<Uint8Array>): Readable {
  return Readable.from(content).once('error', () => {
    if (res.headersSent) res.destroy()
  })
}
