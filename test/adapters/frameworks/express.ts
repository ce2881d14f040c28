import type { RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import express5, { type Request, type Response } from 'express'
import express4 from 'express4'
import createRouter from 'router22'
import { createManagement } from 'upkeep'
import type { ConformanceApplication, RouteAnswer, StartedApplication } from 'upkeep/contract'
import { handleErrors, manage, observe, serve } from 'upkeep/express'
import { listen } from '../../support/listen.ts'
import type { ServingApplication } from './serving.ts'

/** Express 5 before 5.3, whose router does not store its patterns. */
const express52 = Object.assign(
  () => Object.defineProperty(express5(), 'router', { value: createRouter() as express5.Router }),
  { Router: createRouter as typeof express5.Router },
)

export const expressVersions = {
  'Express 5': express5,
  'Express 5.2': express52 as unknown as typeof express5,
  'Express 4': express4 as typeof express5,
}

export function startExpress(version: keyof typeof expressVersions) {
  return async (application: ConformanceApplication): Promise<StartedApplication> => {
    const { options, prefix, bodyParser, routes, otherwise, report } = application
    const management = createManagement(options)
    const express = expressVersions[version]
    const app = express()
    app.use(observe(management))
    if (bodyParser) app.use(express.json())
    app.use(prefix || '/', manage(management))
    for (const { method, path, fields, answer } of routes) {
      app[method === 'GET' ? 'get' : 'post'](path, (req, res, next) => {
        res.set(fields)
        const readBody = async () => (req.body === undefined || !bodyParser ? text(req) : JSON.stringify(req.body))
        const sending = answer(readBody).then((response) => send(req, res, response))
        // Express 4 does not handle rejected promises.
        return version === 'Express 4' ? sending.catch(next) : sending
      })
    }
    app.use((req, res) => send(req, res, otherwise(req.path)))
    app.use(handleErrors({ report: (_message, cause) => report(cause) }))
    return { ...(await listen(app)), management }
  }
}

function send(req: Request, res: Response, { status, fields, body }: RouteAnswer): void {
  res.status(status).set(fields)
  if (typeof body === 'string' || req.method === 'HEAD') res.end(typeof body === 'string' ? body : undefined)
  // A client that disconnects is not an error.
  else void pipeline(Readable.from(body), res).catch(() => undefined)
}

export function serveExpress(version: keyof typeof expressVersions) {
  return ({ resources, management, prefix, parser, nextId }: ServingApplication): RequestListener => {
    const express = expressVersions[version]
    const app = express()
    app.use(observe(management))
    app.use((_req, res, next) => void next(void res.set('X-Request-Id', nextId())))
    if (parser) app.use(express.json({ strict: false, limit: 1_000 }))
    app.use(prefix || '/', serve(resources))
    app.use((_req, res) => void res.send('elsewhere'))
    app.use(handleErrors())
    return app
  }
}
