import { Readable } from 'node:stream'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import {
  handleError,
  type ManagementRequest,
  type ManagementResponse,
  type MaybePromise,
  markServed,
  mountTemplate,
  notFoundResponse,
  originForm,
  type RequestHandler,
  recordError,
  reportToConsole,
  setRoute,
} from '../src/entries/adapter.ts'
import type { Management, Report } from '../src/entries/index.ts'
import { registerRoutes } from './fastify/registered-routes.ts'
import { type HandleErrorsOptions, toManagementRequest } from './node.ts'

/** A plugin for `app.register`. `prefix`: the path below which it serves. @default '' */
export type FastifyPlugin = FastifyPluginCallback<{ readonly prefix?: string | undefined }>

/** Serves the management endpoints below the `prefix` of its registration. Other requests are passed on. */
export function manage(management: Management): FastifyPlugin {
  return plugin((app, { prefix = '' }, done) => {
    registerRoutes(app, management)
    app.addHook('onRequest', (request, reply, next) => {
      const received = fromFastify(request, reply, app.prefix + prefix)
      const response = received && management(received)
      if (response === undefined) return next()
      management.observation.excludeFromObservation(reply.raw)
      respondWhenReady(reply, response)
    })
    done()
  })
}

/** Serves resources below the `prefix` of its registration. Other requests are passed on. */
export function serve(resources: RequestHandler): FastifyPlugin {
  return plugin((app, { prefix = '' }, done) => {
    // The server is the same for all instances of the application.
    markServed(app.server, resources)
    app.addHook('onRequest', (request, reply, next) => {
      const mountPath = app.prefix + prefix
      const received = fromFastify(request, reply, mountPath)
      const response = received && resources(received)
      if (received === undefined || response === undefined) return next()
      const template = resources.templateOf?.(received)
      setRoute(reply.raw, template && mountPath + template)
      respondWhenReady(reply, response)
    })
    done()
  })
}

/** Observes requests. Templates of routes and prefixes are those of Fastify. */
export function observe(management: Management): FastifyPlugin {
  const { observation } = management
  observation.prepare()
  return plugin((app, _options, done) => {
    registerRoutes(app, management)
    app.addHook('onRequest', (request, reply, next) => observation.begin(reply.raw, request, routeOf, next))
    // Fastify reads bodies in event listeners, which run outside of the trace.
    app.addHook('preValidation', (_request, reply, next) => observation.resume(reply.raw, next))
    app.addHook('onError', (_request, reply, error, next) => {
      recordError(reply.raw, error)
      next()
    })
    done()
  })
}

/** A request without a route belongs to the plugin whose handler of unknown paths responds. */
function routeOf(request: FastifyRequest): string | undefined {
  return request.routeOptions.url ?? mountTemplate(request.server.prefix)
}

/** Responds with a 404 and an error document: `app.setNotFoundHandler(notFound())`. */
export function notFound(): (request: FastifyRequest, reply: FastifyReply) => void {
  return (request, reply) => respond(reply, notFoundResponse(atRoot(request, reply)))
}

/**
 * Converts errors to error documents: `app.setErrorHandler(handleErrors())`, and also as the option `frameworkErrors`.
 * Without `report`, errors of the service itself (5xx) are logged by the logger of the request.
 */
export function handleErrors({
  report,
}: HandleErrorsOptions = {}): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  return (error, request, reply) => {
    handleError(error, atRoot(request, reply), {
      message: reply.raw,
      report: report ?? logTo(request),
      publicError: publicErrorOf(error),
      removeHeader: (name) => void reply.removeHeader(name),
      send(response) {
        if (reply.raw.writableEnded) return
        // What the handler has begun by itself cannot be replaced.
        if (reply.raw.headersSent) reply.raw.destroy()
        else respond(reply, response)
      },
    })
  }
}

/** The logger of a request adds its id. Fastify's placeholder for a logger ignores everything, and has no level. */
function logTo({ log }: FastifyRequest): Report {
  return 'level' in log ? (message, err) => log.error({ err }, message) : reportToConsole
}

/** Fastify names the status `statusCode`; the messages of its own errors are for the client. */
function publicErrorOf(error: unknown): unknown {
  if (!(error instanceof Error && 'statusCode' in error && !('status' in error))) return error
  const { statusCode: status, message } = error
  return 'code' in error && String(error.code).startsWith('FST_ERR_') ? { status, message, expose: true } : { status }
}

/** Returns `undefined` for a request that is not below the mount path of the plugin. */
function fromFastify(request: FastifyRequest, reply: FastifyReply, mountPath: string): ManagementRequest | undefined {
  if (mountPath === '') return atRoot(request, reply)
  const target = originForm(request.originalUrl)
  const rest = target.slice(mountPath.length)
  const isBelow = target.startsWith(mountPath) && /^(?:[/?]|$)/.test(rest)
  return isBelow ? belowMount(request, reply, mountPath, rest) : undefined
}

function atRoot(request: FastifyRequest, reply: FastifyReply): ManagementRequest {
  return belowMount(request, reply, '', request.originalUrl)
}

function belowMount(
  { raw, protocol }: FastifyRequest,
  reply: FastifyReply,
  mountPath: string,
  target: string,
): ManagementRequest {
  const requestId = reply.getHeader('x-request-id')
  return toManagementRequest(raw, {
    target,
    protocol,
    mountPath,
    response: reply.raw,
    requestId: requestId === undefined ? undefined : String(requestId),
  })
}

function respondWhenReady(reply: FastifyReply, response: MaybePromise<ManagementResponse>): void {
  if (response instanceof Promise) void response.then((ready) => respond(reply, ready))
  else respond(reply, response)
}

/** Sends bytes only: Fastify changes neither their fields nor their form. */
function respond(reply: FastifyReply, { status, headers, body }: ManagementResponse): void {
  reply.code(status).headers(headers)
  if (typeof body === 'string') reply.send(Buffer.from(body))
  else if (body !== null) reply.send(body instanceof Uint8Array ? body : Readable.from(body))
  // A HEAD route that Fastify derives from GET sends a Content-Length of 0 for no payload, and none for a stream.
  else reply.send(reply.request.method === 'HEAD' ? Readable.from([]) : undefined)
}

/** Applies the hooks of a plugin to the whole application, not only to what is registered inside it. */
function plugin(register: FastifyPlugin): FastifyPlugin {
  return Object.assign(register, {
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: 'upkeep',
  })
}
