import { once } from 'node:events'
import { createServer } from 'node:http'

const call = (origin) => fetch(`${origin}/prices/1`).then((response) => response.text())

/**
 * Starts a service of a framework with routes that succeed, call another route, and fail.
 *
 * @param {string} name
 * @param {(entry: string) => any} require of the project in which the package is installed
 * @param {unknown} management
 * @param {() => void} log
 * @returns {Promise<{ origin: string, close: () => Promise<void> }>}
 */
export async function listenAs(name, require, management, log) {
  const { manage, observe, handleErrors } = require(`upkeep/${name}`)
  let origin = ''
  const fail = () => {
    log()
    throw new Error('no printer')
  }
  const starts = {
    express: () => {
      const app = require('express')()
      app.use(observe(management), manage(management))
      app.get('/orders/:id', async (_req, res) => void res.send(await call(origin)))
      app.get('/prices/:id', (_req, res) => void res.send('17'))
      app.get('/failing', fail)
      app.use(handleErrors(management))
      return app.listen(0, '127.0.0.1')
    },
    koa: () => {
      const app = new (require('koa'))()
      app.use(handleErrors(management)).use(observe(management)).use(manage(management))
      app.use(async (ctx) => {
        if (ctx.path === '/failing') fail()
        if (ctx.path.startsWith('/orders')) ctx.body = await call(origin)
        else if (ctx.path.startsWith('/prices')) ctx.body = '17'
      })
      return app.listen(0, '127.0.0.1')
    },
    fastify: async () => {
      const app = require('fastify')()
      await app.register(observe(management))
      await app.register(manage(management))
      app.get('/orders/:id', () => call(origin))
      app.get('/prices/:id', () => '17')
      app.get('/failing', fail)
      app.setErrorHandler(handleErrors(management))
      await app.listen({ port: 0, host: '127.0.0.1' })
      return app.server
    },
    hono: async () => {
      const { Hono } = require('hono')
      const { serve } = require('@hono/node-server')
      const app = new Hono()
      app.use(observe(management)).use(manage(management))
      app.get('/orders/:id', async (c) => c.text(await call(origin)))
      app.get('/prices/:id', (c) => c.text('17'))
      app.get('/failing', fail)
      app.onError(handleErrors(management))
      return serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
    },
    node: () => {
      const managed = manage(management)
      const observed = observe(management, { route: ({ url }) => url.replace(/\d+$/, ':id') })
      const respond = async (req, res) => {
        if (req.url === '/failing') return void res.writeHead(500).end(log())
        if (req.url === '/nowhere') return void res.writeHead(404).end()
        res.end(req.url.startsWith('/orders') ? await call(origin) : '17')
      }
      return createServer((req, res) => managed(req, res, () => observed(req, res, () => respond(req, res)))).listen(
        0,
        '127.0.0.1',
      )
    },
  }
  const server = await starts[name]()
  if (!server.listening) await once(server, 'listening')
  origin = `http://127.0.0.1:${server.address().port}`
  return {
    origin,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
