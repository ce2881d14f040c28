import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { json, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createManagement } from 'upkeep'
import type { ConformanceApplication, ConformanceRoute, RouteAnswer, StartedApplication } from 'upkeep/contract'
import { handleErrors, manage, observe, serve } from 'upkeep/node'
import { listen } from '../../support/listen.ts'
import type { ServingApplication } from './serving.ts'

/** node:http has no mount paths: the base path is longer instead. */
export async function startNode(application: ConformanceApplication): Promise<StartedApplication> {
  const { options, prefix, bodyParser, routes, otherwise, report } = application
  const management = createManagement({ ...options, basePath: `${prefix}/management` })
  const find = (req: IncomingMessage) => routes.find((route) => isRoute(route, req))
  const observed = observe(management, { route: (req) => find(req)?.path })
  const managed = manage(management)
  const app = handleErrors(
    (req, res) =>
      observed(req, res, () => {
        const next = (body?: unknown) =>
          managed(req, res, () => {
            const route = find(req)
            // Thrown synchronously, if at all.
            if (route === undefined) return send(req, res, otherwise((req.url ?? '').replace(/\?.*/, '')))
            for (const [name, value] of Object.entries(route.fields)) res.setHeader(name, value)
            const readBody = async () => (body === undefined ? text(req) : JSON.stringify(body))
            return route.answer(readBody).then((answer) => send(req, res, answer))
          })
        return bodyParser ? parse(req).then(next) : next()
      }),
    { report: (_message, cause) => report(cause) },
  )
  return { ...(await listen(app)), management }
}

async function parse(req: IncomingMessage): Promise<unknown> {
  const { headers } = req
  const isJson = headers['content-type'] === 'application/json' && Number(headers['content-length']) > 0
  return isJson ? json(req) : undefined
}

function isRoute({ method, path }: ConformanceRoute, req: IncomingMessage): boolean {
  if (method !== (req.method === 'HEAD' ? 'GET' : req.method)) return false
  return new RegExp(`^${path.replace(':id', '[^/?]+')}(\\?|$)`).test(req.url ?? '')
}

function send(req: IncomingMessage, res: ServerResponse, { status, fields, body }: RouteAnswer): void {
  res.writeHead(status, fields)
  if (typeof body === 'string' || req.method === 'HEAD') res.end(typeof body === 'string' ? body : undefined)
  // A client that disconnects is not an error.
  else void pipeline(Readable.from(body), res).catch(() => undefined)
}

export function serveNode({ resources, management, nextId }: ServingApplication): RequestListener {
  const [observed, served] = [observe(management), serve(resources)]
  return handleErrors((req, res) =>
    observed(req, res, () => {
      res.setHeader('X-Request-Id', nextId())
      return served(req, res, () => res.end('elsewhere'))
    }),
  )
}
