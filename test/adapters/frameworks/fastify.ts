import type { RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { createManagement } from 'upkeep'
import type { ConformanceApplication, RouteAnswer, StartedApplication } from 'upkeep/contract'
import { handleErrors, manage, observe, serve } from 'upkeep/fastify'
import { listen } from '../../support/listen.ts'
import type { ServingApplication } from './serving.ts'

export async function startFastify(application: ConformanceApplication): Promise<StartedApplication> {
  const { options, prefix, bodyParser, routes, otherwise, report } = application
  const management = createManagement(options)
  const answer = handleErrors({ report: (_message, cause) => report(cause) })
  // frameworkErrors handles requests that cannot be routed.
  const app = Fastify({ frameworkErrors: answer })
  app.setErrorHandler(answer)
  app.setNotFoundHandler((request, reply) => send(reply, otherwise(request.url.replace(/\?.*/, ''))))
  if (!bodyParser) {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  }
  app.register(observe(management))
  app.register(manage(management), prefix === '' ? {} : { prefix })
  app.after(() => {
    for (const { method, path, fields, answer } of routes) {
      app.route({
        method,
        url: path,
        handler: async (request, reply) => {
          reply.headers(fields)
          return send(reply, await answer(() => readBody(request)))
        },
      })
    }
  })
  return { ...(await listen(listenerOf(app))), management }
}

/** Returns a parsed body as text again; an unparsed one is a stream. */
async function readBody({ body }: FastifyRequest): Promise<string> {
  if (body === undefined) return ''
  return body instanceof Readable ? text(body) : JSON.stringify(body)
}

function send(reply: FastifyReply, { status, fields, body }: RouteAnswer): FastifyReply {
  return reply
    .code(status)
    .headers(fields)
    .send(typeof body === 'string' ? body : Readable.from(body))
}

export function serveFastify({ resources, management, prefix, nextId }: ServingApplication): RequestListener {
  const app = Fastify()
  app.setErrorHandler(handleErrors())
  app.register(observe(management))
  app.addHook('onRequest', (_request, reply, next) => next(void reply.header('X-Request-Id', nextId()) as undefined))
  app.register(serve(resources), prefix === '' ? {} : { prefix })
  app.setNotFoundHandler((_request, reply) => void reply.code(200).send('elsewhere'))
  return listenerOf(app)
}

/** Returns the listener of an application, for servers other than its own. */
export function listenerOf(app: FastifyInstance): RequestListener {
  const ready = app.ready()
  return (req, res) => void ready.then(() => app.routing(req, res))
}
