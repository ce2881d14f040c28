import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import Router from '@koa/router'
import express5 from 'express'
import express4 from 'express4'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import type { Management, Report } from 'upkeep'
import { handleErrors as handleExpressErrors, observe as observeExpress } from 'upkeep/express'
import { handleErrors as handleFastifyErrors, observe as observeFastify } from 'upkeep/fastify'
import { handleErrors as handleHonoErrors, observe as observeHono } from 'upkeep/hono'
import { handleErrors as handleKoaErrors, observe as observeKoa } from 'upkeep/koa'
import { handleErrors as handleNodeErrors, observe as observeNode } from 'upkeep/node'

type CreateService = (management: Management, report: Report) => RequestListener | Promise<RequestListener>

/** Returns the content of a route for its path variable. Throws for `/fail/:token`, with a password in the message. */
export function respondTo(template: string, value: string): string {
  if (template === '/fail/:token') throw new Error('failed at postgres://me:hunter2@db/orders')
  return `${template} ${value.length}`
}

const templates = ['/orders/:id', '/hooks/:key', '/fail/:token'] as const

function expressService(express: typeof express5): CreateService {
  return (management, report) => {
    const app = express()
    app.use(observeExpress(management))
    for (const template of templates) {
      app.get(template, (req, res) => void res.send(respondTo(template, String(Object.values(req.params)[0]))))
    }
    app.use(handleExpressErrors({ report }))
    return app
  }
}

/** The same three routes, observed and with error documents, in every framework. */
export const tracedServices = {
  'Express 5': expressService(express5),
  'Express 4': expressService(express4 as typeof express5),
  Koa(management: Management, report: Report) {
    const app = new Koa()
    app.on('error', (error: unknown) => report('the application failed', error))
    app.use(handleKoaErrors())
    app.use(observeKoa(management))
    const router = new Router()
    for (const template of templates) {
      router.get(template, (context) => {
        context.body = respondTo(template, String(Object.values(context['params'])[0]))
      })
    }
    app.use(router.routes())
    return app.callback()
  },
  async Fastify(management, report) {
    const app = Fastify()
    app.setErrorHandler(handleFastifyErrors({ report }))
    app.register(observeFastify(management))
    app.after(() => {
      for (const template of templates) {
        app.get(template, async ({ params }) => respondTo(template, String(Object.values(params as object)[0])))
      }
    })
    await app.ready()
    return (req, res) => app.routing(req, res)
  },
  Hono(management, report) {
    const app = new Hono()
    app.onError(handleHonoErrors({ report }))
    app.use(observeHono(management))
    for (const template of templates) {
      app.get(template, (context) => context.text(respondTo(template, String(Object.values(context.req.param())[0]))))
    }
    return getRequestListener(app.fetch, { overrideGlobalObjects: false })
  },
  'node:http'(management, report) {
    const templateOf = ({ url = '' }: { readonly url?: string | undefined }) =>
      templates.find((template) => url.startsWith(template.slice(0, template.indexOf(':'))))
    const observed = observeNode(management, { route: templateOf })
    const handled = handleNodeErrors(
      (req, res) => {
        const template = templateOf(req)
        if (template === undefined) res.writeHead(404)
        res.end(template && respondTo(template, (req.url ?? '').slice(template.indexOf(':'))))
      },
      { report },
    )
    return (req, res) => observed(req, res, () => handled(req, res))
  },
} satisfies Readonly<Record<string, CreateService>>

export const frameworkNames = Object.keys(tracedServices) as (keyof typeof tracedServices)[]
