import { Readable } from 'node:stream'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import {
  type ManagementRequest,
  type ManagementResponse,
  notFoundResponse,
  originForm,
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

type Plugin = FastifyPluginCallback<{ readonly prefix?: string | undefined }>

/** Serves the management endpoints, below the `prefix` that it is registered with; any other request goes on. */
export function manage(management: Management): Plugin {
  return plugin((app, { prefix = '' }, done) => {
    app.addHook('onRequest', (request, reply, next) => {
      const asked = fromFastify(request, reply, app.prefix + prefix)
      const answer = asked && management(asked)
      if (answer === undefined) return next()
      management.observation.excludeFromObservation(reply.raw)
      if (answer instanceof Promise) void answer.then((response) => respond(reply, response))
      else respond(reply, answer)
    })
    done()
  })
}

/** Serves resources, below the `prefix` that it is registered with; any other request goes on. */
export function serve(resources: RequestHandler): Plugin {
  return plugin((app, { prefix = '' }, done) => {
    app.addHook('onRequest', (request, reply, next) => {
      const mountPath = app.prefix + prefix
      const asked = fromFastify(request, reply, mountPath)
      const answer = asked && resources(asked)
      if (asked === undefined || answer === undefined) return next()
      const template = resources.templateOf?.(asked)
      setRoute(reply.raw, template && mountPath + template)
      if (answer instanceof Promise) void answer.then((response) => respond(reply, response))
      else respond(reply, answer)
    })
    done()
  })
}

/** Observes requests; the template of a route is told by Fastify. */
export function observe(management: Management): Plugin {
  const { observation } = management
  return plugin((app, _options, done) => {
    app.addHook('onRequest', (request, reply, next) => observation.begin(reply.raw, request, routeOf, next))
    // Fastify reads bodies by their events, which are in no trace.
    app.addHook('preValidation', (_request, reply, next) => observation.resume(reply.raw, next))
    app.addHook('onError', (_request, reply, error, next) => {
      recordError(reply.raw, error)
      next()
    })
    done()
  })
}

function routeOf({ routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.url
}

/** Responds with a 404 and an error document: `app.setNotFoundHandler(notFound())`. */
export function notFound(): (request: FastifyRequest, reply: FastifyReply) => void {
  return (request, reply) => respond(reply, notFoundResponse(atRoot(request, reply)))
}

/**
 * Errors become error documents: `app.setErrorHandler(handleErrors())`, and the same as the option `frameworkErrors`.
 * Without `report`, errors that are the service's own fault go to the logger of the request.
 */
export function handleErrors({
  report,
}: HandleErrorsOptions = {}): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  return (error, request, reply) => {
    recordError(reply.raw, error)
    const reportError: Report = (message) => (report ?? logTo(request))(message, error)
    const asked = atRoot(request, reply)
    const respondWith = (response: ManagementResponse) => {
      for (const field of representationHeaders) reply.removeHeader(field)
      respond(reply, response)
    }
    respondToError(publicErrorOf(error), asked, reportError, respondWith, reportedPath(reply.raw, asked.target))
  }
}

/** The logger of a request knows its id. Without one, Fastify has a logger that ignores everything, and has no level. */
function logTo({ log }: FastifyRequest): Report {
  return 'level' in log ? (message, err) => log.error({ err }, message) : reportToConsole
}

/** Fastify's own errors have a message for the client, and the status of others has another name than elsewhere. */
function publicErrorOf(error: unknown): unknown {
  if (!(error instanceof Error && 'statusCode' in error && !('status' in error))) return error
  const { statusCode: status, message } = error
  return 'code' in error && String(error.code).startsWith('FST_ERR_') ? { status, message, expose: true } : { status }
}

/** `undefined` for a request that is not below the path that the plugin is mounted at. */
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

/** Bytes and nothing else, of which Fastify changes neither the fields nor the form. */
function respond(reply: FastifyReply, { status, headers, body }: ManagementResponse): void {
  reply.code(status).headers(headers)
  if (typeof body === 'string') reply.send(Buffer.from(body))
  else if (body !== null) reply.send(body instanceof Uint8Array ? body : Readable.from(body))
  // A route for HEAD that Fastify has made of one for GET tells of nothing that its length is 0, and of a stream no length.
  else reply.send(reply.request.method === 'HEAD' ? Readable.from([]) : undefined)
}

/** What a plugin adds is for the whole application, and not for what is registered inside it alone. */
function plugin(register: Plugin): Plugin {
  return Object.assign(register, {
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: 'upkeep',
  })
}
