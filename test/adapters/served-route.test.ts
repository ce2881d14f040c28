import { getRequestListener } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { afterEach, describe, expect, it } from 'vitest'
import * as forExpress from '../../adapters/express.ts'
import * as forFastify from '../../adapters/fastify.ts'
import * as forFetch from '../../adapters/fetch.ts'
import * as forHono from '../../adapters/hono.ts'
import * as forKoa from '../../adapters/koa.ts'
import * as forNode from '../../adapters/node.ts'
import { createManagement, type Management } from '../../src/index.ts'
import type { Resources } from '../../src/rest.ts'
import { askOver } from '../support/ask.ts'
import { listen } from '../support/listen.ts'
import { createOrdersService } from '../support/orders-service.ts'
import { listenerOf } from './frameworks/fastify.ts'

const apps = {
  Express: (management: Management, resources: Resources) =>
    express().use(forExpress.observe(management)).use(forExpress.serve(resources)),
  Koa: (management: Management, resources: Resources) =>
    new Koa().use(forKoa.observe(management)).use(forKoa.serve(resources)).callback(),
  Fastify: (management: Management, resources: Resources) => {
    const app = Fastify()
    app.register(forFastify.observe(management))
    app.register(forFastify.serve(resources))
    return listenerOf(app)
  },
  Hono: (management: Management, resources: Resources) =>
    getRequestListener(new Hono().use(forHono.observe(management)).use(forHono.serve(resources)).fetch, {
      overrideGlobalObjects: false,
    }),
  fetch: (management: Management, resources: Resources) => {
    const [observed, served] = [forFetch.observe(management), forFetch.serve(resources)]
    return getRequestListener((request) => observed(request, () => served(request) ?? Response.error()), {
      overrideGlobalObjects: false,
    })
  },
  'node:http': (management: Management, resources: Resources) => {
    const [observed, served] = [forNode.observe(management), forNode.serve(resources)]
    return (req: Parameters<typeof observed>[0], res: Parameters<typeof observed>[1]) =>
      void observed(req, res, () => served(req, res))
  },
}

describe.each(Object.entries(apps))('a request that resources answer, observed in %s', (_name, createApp) => {
  const ends: (() => unknown)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })

  it('is counted by the template of its address, and not by what was asked for', async () => {
    const management = createManagement()
    const listening = await listen(createApp(management, createOrdersService().resources))
    ends.push(listening.close, () => management.close())
    expect((await askOver(listening.port)({ target: '/api/orders/a?x=secret' })).status).toBe(200)
    await listening.close()
    const [requests] = management.meters.snapshot('http.server.requests')
    expect(requests?.id.tags).toContainEqual({ key: 'uri', value: '/api/orders/{order}' })
  })
})
