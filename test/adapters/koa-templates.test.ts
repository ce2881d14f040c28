import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router, { type RouterMiddleware } from '@koa/router'
import Koa from 'koa'
import mount from 'koa-mount'
import { createManagement, HttpError } from 'upkeep'
import { observe } from 'upkeep/koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestCounts } from '../support/request-counts.ts'

describe('the template of a route of Koa', () => {
  const management = createManagement({ metrics: { runtime: false } })
  const app = new Koa()
  app.silent = true
  app.use(observe(management))
  const ok: RouterMiddleware = (context) => {
    context.body = 'ok'
  }
  const inner = new Router()
  inner.get('/items/:item', ok)
  inner.get('/fail/:item', () => {
    throw new HttpError(409, 'no')
  })
  const outer = new Router({ prefix: '/org/:org' })
  outer.get(['/list', '/array/:id'], ok)
  outer.get(/^\/file-(\d+)$/, ok)
  outer.use('/teams/:team', inner.routes())
  app.use(outer.routes()).use(outer.allowedMethods())
  const mounted = new Router()
  mounted.get('/report/:year', ok)
  app.use(mount('/sub', mounted.routes()))
  const server = createServer(app.callback())
  let base = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())

  it.each([
    ['/org/acme/list', 'GET', '/org/:org/list GET 200'],
    ['/org/acme/array/7', 'GET', '/org/:org/array/:id GET 200'],
    ['/org/acme/teams/red/items/7?a=b', 'GET', '/org/:org/teams/:team/items/:item GET 200'],
    ['/org/acme/teams/red/items/7', 'HEAD', '/org/:org/teams/:team/items/:item HEAD 200'],
    ['/org/acme/teams/red/fail/7', 'GET', '/org/:org/teams/:team/fail/:item GET 409'],
    ['/org/acme/teams/red', 'GET', 'NOT_FOUND GET 404'],
    ['/org/acme/list', 'POST', 'UNKNOWN POST 405'],
    ['/org/acme/list', 'OPTIONS', 'UNKNOWN OPTIONS 200'],
    ['/sub/report/1999', 'GET', '/report/:year GET 200'],
  ])('of %s %s is %s', async (target, method, expected) => {
    const before = requestCounts(management.meters)
    await (await fetch(base + target, { method })).arrayBuffer()
    await expect
      .poll(() =>
        [...requestCounts(management.meters)].flatMap(([id, count]) => (count === before.get(id) ? [] : [id])),
      )
      .toEqual([expect.stringContaining(`${expected} `)])
  })
})
