import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import express5 from 'express'
import express4 from 'express4'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import type { Management } from 'upkeep'
import { manage as manageExpress, observe as observeExpress } from 'upkeep/express'
import { manage as manageFastify, observe as observeFastify } from 'upkeep/fastify'
import { manage as manageFetch, observe as observeFetch } from 'upkeep/fetch'
import { manage as manageHono, observe as observeHono } from 'upkeep/hono'
import { manage as manageKoa, observe as observeKoa } from 'upkeep/koa'
import { manage as manageNode, observe as observeNode } from 'upkeep/node'
import { listenerOf } from './fastify.ts'

/** Returns an application that is observed, serves the management, and responds with 418 to all other requests. */
export type ManagedBy = (management: Management) => RequestListener

const startExpress =
  (create: typeof express5): ManagedBy =>
  (management) => {
    const app = create().use(observeExpress(management), manageExpress(management))
    return app.use((_req, res) => void res.status(418).end())
  }

/** An application of each framework. */
export const managedBy: Readonly<Record<string, ManagedBy>> = {
  'Express 5': startExpress(express5),
  'Express 4': startExpress(express4 as typeof express5),
  Koa: (management) => {
    const app = new Koa().use(observeKoa(management)).use(manageKoa(management))
    return app.use((context) => void Object.assign(context, { status: 418 })).callback()
  },
  Fastify: (management) => {
    const app = Fastify()
    app.register(observeFastify(management))
    app.register(manageFastify(management))
    app.setNotFoundHandler((_request, reply) => void reply.code(418).send())
    return listenerOf(app)
  },
  Hono: (management) => {
    const app = new Hono().use(observeHono(management)).use(manageHono(management))
    app.all('*', (context) => context.body(null, 418 as never))
    return getRequestListener(app.fetch, { overrideGlobalObjects: false })
  },
  fetch: (management) => {
    const [observed, managed] = [observeFetch(management), manageFetch(management)]
    const answer = (request: Request) =>
      observed(request, () => managed(request) ?? new Response(null, { status: 418 }))
    return getRequestListener(answer, { overrideGlobalObjects: false })
  },
  'node:http': (management) => {
    const [observed, managed] = [observeNode(management), manageNode(management)]
    return (req, res) => observed(req, res, () => managed(req, res, () => res.writeHead(418).end()))
  },
}
