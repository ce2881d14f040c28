import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import type { Management } from 'upkeep'
import { manage as manageExpress } from 'upkeep/express'
import { manage as manageFastify } from 'upkeep/fastify'
import { manage as manageFetch } from 'upkeep/fetch'
import { manage as manageHono } from 'upkeep/hono'
import { manage as manageKoa } from 'upkeep/koa'
import { manage } from 'upkeep/node'

/** Returns what a server of node:http calls for each request. */
export type CreateListener = (management: Management) => RequestListener

/** An application with nothing but the management, for each framework. */
export const listeners = {
  'node:http': (management) => manage(management),
  Express: (management) => express().use(manageExpress(management)),
  Koa: (management) => {
    const app = new Koa().use(manageKoa(management))
    app.silent = true
    return app.callback()
  },
  Fastify: (management) => {
    const app = Fastify()
    app.register(manageFastify(management))
    const ready = app.ready()
    return (req, res) => void ready.then(() => app.routing(req, res))
  },
  Hono: (management) => {
    const app = new Hono().use(manageHono(management))
    return getRequestListener(app.fetch, { overrideGlobalObjects: false })
  },
  fetch: (management) => {
    const managed = manageFetch(management)
    return getRequestListener(async (request) => (await managed(request)) ?? new Response('other'), {
      overrideGlobalObjects: false,
    })
  },
} satisfies Readonly<Record<string, CreateListener>>
