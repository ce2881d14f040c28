import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { answerErrors as answerAll } from '../../adapters/fetch.ts'
import { answerErrors, manage } from '../../adapters/hono.ts'
import { HttpError, type Management } from '../../src/index.ts'
import { failures } from '../conformance/error-answers.ts'
import type { Mount } from './mount.ts'

export function honoApp(management: Management, { parser }: Mount, report: (error: unknown) => void): RequestListener {
  const options = { report: (_message: string, cause: unknown) => report(cause) }
  const app = new Hono()
  app.onError(answerErrors(options))
  if (parser)
    app.use(async ({ req }, next) => {
      if (req.header('Content-Type') === 'application/json') await req.json().catch(() => undefined)
      await next()
    })
  app.use(manage(management))
  app.post('/echo', async (context) => {
    if (parser) return context.json(await context.req.json())
    return new Response(context.req.raw.body)
  })
  app.all('/fail/:name', async (context) => {
    context.header('X-Request-Id', 'r-1')
    context.header('ETag', '"stale"')
    context.header('Content-Encoding', 'gzip')
    await Promise.resolve()
    throw failures[context.req.param('name')]?.()
  })
  app.notFound(() => {
    throw new HttpError(404, 'There is no resource at this address.')
  })
  // Hono hands on no error that is not an Error.
  return getRequestListener(answerAll(app.fetch, options), { overrideGlobalObjects: false })
}
