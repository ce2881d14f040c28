import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import Router from '@koa/router'
import express from 'express'
import Koa from 'koa'
import { createManagement, HttpError } from 'upkeep'
import {
  expressRoutes,
  handleError,
  koaRoutes,
  type ManagementRequest,
  markServed,
  mountTemplate,
  requireKnownOptions,
  servedRoutes,
  withErrorCode,
} from 'upkeep/adapter'
import * as fetchAdapter from 'upkeep/fetch'
import { onRequestError } from 'upkeep/next'
import {
  clientCertificate,
  handleErrors,
  incomingMessageOf,
  listen,
  observe,
  sendError,
  sendResponse,
  sendWhenReady,
  serve,
  shutdownGracefully,
  toManagementRequest,
  watchdog,
} from 'upkeep/node'
import { expect, it, onTestFinished } from 'vitest'
import { listen as listenTo } from '../../support/listen.ts'
import { createOrdersService } from '../../support/orders-service.ts'

function createMetered() {
  const management = createManagement({ expose: ['health'], metrics: { runtime: false } })
  onTestFinished(() => management.close())
  const routes = () =>
    [...management.meters.snapshot('http.server.requests')].map(
      ({ id }) => id.tags.find(({ key }) => key === 'uri')?.value,
    )
  return { management, routes }
}

/** Requests a resource of each kind of reply. */
async function wantOrders(listener: Parameters<typeof listenTo>[0]) {
  const { port, close } = await listenTo(listener)
  onTestFinished(close)
  const statusOf = async (method: string, path: string) =>
    (await fetch(`http://127.0.0.1:${port}/api${path}`, { method, redirect: 'manual' })).status
  expect(
    await Promise.all([
      statusOf('GET', '/orders/a'),
      statusOf('GET', '/orders/moved'),
      statusOf('GET', '/latest'),
      statusOf('GET', '/mirror'),
      statusOf('POST', '/orders/repeat'),
      statusOf('GET', '/none'),
    ]),
  ).toEqual([200, 301, 303, 307, 201, 404])
}

it('resources are served and observed with node:http', async () => {
  const { management, routes } = createMetered()
  const [observed, served] = [observe(management), serve(createOrdersService().resources)]
  await wantOrders(handleErrors((req, res) => observed(req, res, () => served(req, res))))
  await expect.poll(routes).toContain('/api/orders/{order}')
})

it('resources are served and observed with fetch', async () => {
  const { management, routes } = createMetered()
  const observed = fetchAdapter.observe(management)
  const served = fetchAdapter.serve(createOrdersService().resources)
  const respond = fetchAdapter.handleErrors((request) => observed(request, () => served(request) ?? new Response()))
  await wantOrders(getRequestListener((request) => respond(request), { overrideGlobalObjects: false }))
  await expect.poll(routes).toContain('/api/orders/{order}')
})

it('the management is served on a port of its own', async () => {
  const { address, close } = await listen(createMetered().management, { port: 0 })
  onTestFinished(close)
  const response = await fetch(`http://127.0.0.1:${address.port}/management/health`)
  expect(await response.json()).toMatchObject({ status: 'UP' })
})

it('a client without a certificate is unknown', async () => {
  const { port, close } = await listenTo((req, res) => {
    res.end(String(clientCertificate()(toManagementRequest(req))))
  })
  onTestFinished(close)
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('undefined')
})

it('a request of node:http is known by its management request', async () => {
  const { port, close } = await listenTo((req, res) => {
    res.end(String(incomingMessageOf(toManagementRequest(req)) === req))
  })
  onTestFinished(close)
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('true')
})

it('a response is sent at once, when it is ready, or for an error', async () => {
  const created = { status: 201, headers: {}, body: null }
  const { port, close } = await listenTo((req, res) => {
    if (req.url === '/error') sendError(new HttpError(409, 'Sold out.'), toManagementRequest(req), res, () => {})
    else if (req.url === '/later') void sendWhenReady(res, Promise.resolve(created))
    else void sendResponse(res, created)
  })
  onTestFinished(close)
  const statuses = ['/', '/later', '/error'].map(
    async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status,
  )
  expect(await Promise.all(statuses)).toEqual([201, 201, 409])
})

it('a server is watched by a thread, and shut down gracefully', async () => {
  const { management } = createMetered()
  const { port, close } = await watchdog(management, { port: 0 })
  onTestFinished(close)
  expect((await fetch(`http://127.0.0.1:${port}/management/health/liveness`)).status).toBe(200)
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const exited: number[] = []
  const options = { signals: [], delay: '0ms', exit: (code: number) => void exited.push(code) } as const
  const { shutdown } = shutdownGracefully(server, management, options)
  await shutdown()
  await expect.poll(() => exited).toEqual([0])
})

it('the routes of an application are found, those of resources too', () => {
  const routes = [{ method: 'GET', path: '/orders' }]
  const served = markServed(() => {}, { routes })
  expect(servedRoutes(served)).toEqual(routes)
  expect(expressRoutes(express().get('/carts', () => {}))).toMatchObject([{ method: 'GET', path: '/carts' }])
  const router = new Router().get('/carts', () => {})
  expect(koaRoutes(new Koa().use(router.routes()))).toMatchObject([{ method: 'GET', path: '/carts' }])
})

it('a mount has a template, and unknown options are refused', () => {
  expect(mountTemplate('/static')).toBe('/static/**')
  const options = { prefix: '/api' }
  expect(() => requireKnownOptions('serve', options, ['prefix'])).not.toThrow()
  expect(() => requireKnownOptions('serve', { ...options, prefx: 1 }, ['prefix'])).toThrow(
    'serve: unknown option "prefx"; did you mean "prefix"?',
  )
})

it('an error becomes an error document', () => {
  const request: ManagementRequest = {
    method: 'GET',
    target: '/orders',
    headers: {},
    base: 'http://127.0.0.1',
    body: () => ({ kind: 'bytes', bytes: (async function* () {})() }),
  }
  const send = ({ status }: { readonly status: number }) => status
  const handling = { message: new Request('http://127.0.0.1/orders'), report: () => {}, send }
  expect(handleError(new HttpError(409, 'Sold out.'), request, handling)).toBe(409)
})

it('an error outside of a request of Next.js is not recorded', () => {
  expect(onRequestError(new Error('outside'))).toBeUndefined()
})

it('withErrorCode adds a code to an error', () => {
  const error = new TypeError('wrong')
  expect(withErrorCode(error, 'UPKEEP_EOPTION')).toBe(error)
  expect(error).toMatchObject({ code: 'UPKEEP_EOPTION', message: 'wrong' })
})
