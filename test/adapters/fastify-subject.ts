import type { RequestListener } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { answerErrors, manage } from '../../adapters/fastify.ts'
import { HttpError, type Management } from '../../src/index.ts'
import { failures } from '../conformance/error-answers.ts'
import type { Mount } from './mount.ts'

export function fastifyApp(
  management: Management,
  { prefix, parser }: Mount,
  report: (error: unknown) => void,
): RequestListener {
  const answer = answerErrors({ report: (_message, cause) => report(cause) })
  // What cannot be routed is answered by frameworkErrors.
  const app = Fastify({ frameworkErrors: answer })
  app.setErrorHandler(answer)
  app.setNotFoundHandler(() => {
    throw new HttpError(404, 'There is no resource at this address.')
  })
  if (!parser) {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  }
  app.register(manage(management), prefix === '' ? {} : { prefix })
  app.post('/echo', (request, reply) => void reply.send(request.body))
  app.all('/fail/:name', async (request, reply) => {
    reply.headers({ 'X-Request-Id': 'r-1', ETag: '"stale"', 'Content-Encoding': 'gzip' })
    await Promise.resolve()
    throw failures[(request.params as { name: string }).name]?.()
  })
  return listenerOf(app)
}

/** The listener of an application, for servers that are not its own. */
export function listenerOf(app: FastifyInstance): RequestListener {
  const ready = app.ready()
  return (req, res) => void ready.then(() => app.routing(req, res))
}
