import type { RequestListener, ServerResponse } from 'node:http'
import Router from '@koa/router'
import Fastify from 'fastify'
import Koa from 'koa'
import { createManagement, type Management } from 'upkeep'
import { observe as observeFastify } from 'upkeep/fastify'
import { observe as observeKoa } from 'upkeep/koa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'
import { requestCounts } from '../support/request-counts.ts'
import { listenerOf } from './frameworks/fastify.ts'

const answer = (res: ServerResponse) => void res.writeHead(201).end('made')

const frameworks: Readonly<Record<string, (management: Management) => RequestListener>> = {
  Fastify: (management) => {
    const app = Fastify()
    app.register(observeFastify(management))
    app.addHook('onRequest', (request, reply, next) => {
      if (request.url !== '/early') return next()
      reply.hijack()
      answer(reply.raw)
    })
    app.after(() => {
      app.get('/orders/:id', (_request, reply) => {
        reply.hijack()
        answer(reply.raw)
      })
    })
    return listenerOf(app)
  },
  Koa: (management) => {
    const app = new Koa()
    app.use(observeKoa(management))
    app.use((context, next) => {
      if (context.path !== '/early') return next()
      context.respond = false
      return answer(context.res)
    })
    const router = new Router()
    router.get('/orders/:id', (context) => {
      context.respond = false
      answer(context.res)
    })
    return app.use(router.routes()).callback()
  },
}

describe.each(Object.entries(frameworks))('a response that bypasses %s', (_name, createApp) => {
  it.each([
    ['its route', '/orders/17', '/orders/:id GET 201 SUCCESS none'],
    ['UNKNOWN before routing', '/early', 'UNKNOWN GET 201 SUCCESS none'],
  ])('is timed by %s', async (_, target, told) => {
    const management = createManagement({ metrics: { runtime: false } })
    const { port, close } = await listen(createApp(management))
    onTestFinished(async () => {
      await close()
      management.close()
    })
    expect((await createRawClient(port)({ target })).status).toBe(201)
    await expect.poll(() => [...requestCounts(management.meters)]).toEqual([[told, 1]])
  })
})
