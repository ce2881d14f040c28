import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { createManagement } from 'upkeep'
import type { ConformanceApplication, RouteAnswer, StartedApplication } from 'upkeep/contract'
import { handleErrors as handleFetchErrors } from 'upkeep/fetch'
import { handleErrors, manage, observe, serve } from 'upkeep/hono'
import { listen } from '../../support/listen.ts'
import { toBody } from './fetch.ts'
import type { ServingApplication } from './serving.ts'

/** Hono does not strip a mount path from requests: the base path is longer instead. */
export async function startHono(application: ConformanceApplication): Promise<StartedApplication> {
  const { options, prefix, bodyParser, routes, otherwise, report } = application
  const management = createManagement({ ...options, basePath: `${prefix}/management` })
  const errorOptions = { report: (_message: string, cause: unknown) => report(cause) }
  const app = new Hono()
  app.onError(handleErrors(errorOptions))
  app.use(observe(management))
  if (bodyParser)
    app.use(async ({ req }, next) => {
      if (req.header('Content-Type') === 'application/json') await req.json().catch(() => undefined)
      await next()
    })
  app.use(manage(management))
  for (const { method, path, fields, answer } of routes) {
    app.on(method, path, async (context) => {
      for (const [name, value] of Object.entries(fields)) context.header(name, value)
      return send(context, await answer(() => context.req.text()))
    })
  }
  app.notFound((context) => send(context, otherwise(context.req.path)))
  // Hono passes on only instances of Error.
  const listener = getRequestListener(handleFetchErrors(app.fetch, errorOptions), { overrideGlobalObjects: false })
  return { ...(await listen(listener)), management }
}

function send(context: Context, { status, fields, body }: RouteAnswer): Response {
  // Hono's type lists statuses.
  return context.newResponse(toBody(body), { status, headers: fields } as never)
}

export function serveHono({ resources, management, nextId }: ServingApplication): RequestListener {
  const app = new Hono()
  app.onError(handleErrors())
  app.use(observe(management))
  app.use(async (context, next) => {
    context.header('X-Request-Id', nextId())
    await next()
  })
  app.use(serve(resources))
  app.all('*', (context) => context.text('elsewhere'))
  return getRequestListener(app.fetch, { overrideGlobalObjects: false })
}
