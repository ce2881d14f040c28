import type { RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { bodyParser as parseBodies } from '@koa/bodyparser'
import Router from '@koa/router'
import Koa3 from 'koa'
import mount from 'koa-mount'
import Koa2 from 'koa2'
import { createManagement } from 'upkeep'
import type { ConformanceApplication, RouteAnswer, StartedApplication } from 'upkeep/contract'
import { handleErrors, manage, observe, serve } from 'upkeep/koa'
import { listen } from '../../support/listen.ts'
import type { ServingApplication } from './serving.ts'

const versions = { 'Koa 3': Koa3, 'Koa 2': Koa2 as unknown as typeof Koa3 }

export function startKoa(version: keyof typeof versions) {
  return async (application: ConformanceApplication): Promise<StartedApplication> => {
    const { options, prefix, bodyParser, routes, otherwise, report } = application
    const management = createManagement(options)
    const app = new versions[version]()
    app.on('error', (error) => void (isLeaving(error) || report(error)))
    app.use(handleErrors())
    app.use(observe(management))
    if (bodyParser) app.use(parseBodies())
    app.use(prefix === '' ? manage(management) : mount(prefix, manage(management)))
    const router = new Router()
    for (const { method, path, fields, answer } of routes) {
      router.register(path, method === 'GET' ? ['get', 'head'] : ['post'], async (context) => {
        context.set(fields)
        const { body } = context.request as { body?: object }
        send(context, await answer(async () => (body === undefined ? text(context.req) : JSON.stringify(body))))
      })
    }
    app.use(router.routes())
    app.use((context) => send(context, otherwise(context.path)))
    return { ...(await listen(app.callback())), management }
  }
}

function send(context: Koa3.Context, { status, fields, body }: RouteAnswer): void {
  context.status = status
  context.body = typeof body === 'string' ? body : Readable.from(body)
  context.set(fields)
}

/** Koa emits an error when a client disconnects during a response. */
function isLeaving(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ECONNRESET'
}

export function serveKoa(version: keyof typeof versions) {
  return ({ resources, management, prefix, parser, nextId }: ServingApplication): RequestListener => {
    const app = new versions[version]()
    app.use(handleErrors())
    app.use(observe(management))
    app.use((context, next) => {
      context.set('X-Request-Id', nextId())
      return next()
    })
    if (parser) app.use(parseBodies({ jsonStrict: false, jsonLimit: 1_000 }))
    const served = serve(resources)
    app.use(prefix === '' ? served : mount(prefix, served))
    app.use((context) => void Object.assign(context, { body: 'elsewhere' }))
    return app.callback()
  }
}
