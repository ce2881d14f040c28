import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createManagement } from 'upkeep'
import type { ConformanceApplication, ConformanceRoute, RouteAnswer, StartedApplication } from 'upkeep/contract'
import { handleErrors, manage, observe, serve } from 'upkeep/fetch'
import { listen } from '../../support/listen.ts'
import type { ServingApplication } from './serving.ts'

/** A handler of a `Request` has no mount path and no response in preparation. */
export async function startFetch(application: ConformanceApplication): Promise<StartedApplication> {
  const { options, prefix, routes, otherwise, report } = application
  const management = createManagement({ ...options, basePath: `${prefix}/management` })
  const find = (request: Request) => routes.find((route) => isRoute(route, request))
  const observed = observe(management, { route: (request) => find(request)?.path })
  const managed = manage(management)
  const respond = async (request: Request) => {
    const route = find(request)
    return send(
      route === undefined ? otherwise(new URL(request.url).pathname) : await route.answer(() => request.text()),
    )
  }
  const answer = handleErrors((request: Request) => observed(request, () => managed(request) ?? respond(request)), {
    report: (_message, cause) => report(cause),
  })
  const listener = getRequestListener((request) => answer(request), { overrideGlobalObjects: false })
  return { ...(await listen(listener)), management }
}

function isRoute({ method, path }: ConformanceRoute, request: Request): boolean {
  if (method !== (request.method === 'HEAD' ? 'GET' : request.method)) return false
  return new RegExp(`^${path.replace(':id', '[^/]+')}$`).test(new URL(request.url).pathname)
}

function send({ status, fields, body }: RouteAnswer): Response {
  return new Response(toBody(body), { status, headers: fields })
}

export function toBody(body: RouteAnswer['body']): string | ReadableStream<Uint8Array> {
  if (typeof body === 'string') return body
  return ReadableStream.from(body).pipeThrough(new TextEncoderStream())
}

export function serveFetch({ resources, management, nextId }: ServingApplication): RequestListener {
  const [observed, served] = [observe(management), serve(resources)]
  const answer = handleErrors((request: Request) =>
    observed(request, () => served(request) ?? new Response('elsewhere')),
  )
  const listener = getRequestListener((request) => answer(request), { overrideGlobalObjects: false })
  // There is no response yet that could have a request id, so that a proxy must set it in the request.
  return (req, res) => {
    const id = nextId()
    req.headers['x-request-id'] = id
    req.rawHeaders.push('X-Request-Id', id)
    res.setHeader('X-Request-Id', id)
    void listener(req, res)
  }
}
