import Router from '@koa/router'
import express5 from 'express'
import express4 from 'express4'
import Koa from 'koa'
import { checkRoutes } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'
import { createOrdersService } from '../support/orders-service.ts'

const found = (app: object) =>
  checkRoutes(app).map(({ method, path, broken }) => [method, path, broken.map(({ rule }) => rule)])
const end = () => {}

describe.each([
  ['Express 5', express5],
  ['Express 4', express4 as typeof express5],
])('checkRoutes of %s', (_name, express) => {
  it('returns the routes that break a rule, with mounted routers but without mounted applications', () => {
    const lines = express.Router().get('/Lines/:line', end).get('/', end).post('/get_all', end)
    const inner = express().get('/price_lists', end)
    const app = express()
    app.use((_req, _res, next) => next())
    app.get('/orders', end)
    app.get('/order/:id', end)
    app.all('/orders.json', end)
    app.use('/orders/:order', lines)
    app.use('/shop', inner)
    expect(found(app)).toEqual([
      ['GET', '/order/:id', ['plural']],
      ['*', '/orders.json', ['file-extension']],
      ['GET', '/orders/:order/Lines/:line', ['upper-case']],
      ['POST', '/orders/:order/get_all', ['underscore', 'crud-verb']],
    ])
    expect(found(inner)).toEqual([['GET', '/shop/price_lists', ['underscore']]])
  })

  it('returns nothing for an application that satisfies the rules or has no routes', () => {
    const app = express()
    app.get('/', end)
    app.get(/^\/Anything_goes/, end)
    app.get(['/orders', '/orders/:order'], end)
    expect(found(app)).toEqual([])
    expect(found(express())).toEqual([])
  })
})

describe('checkRoutes', () => {
  it('reads Koa applications and routers', () => {
    const router = new Router({ prefix: '/shop' })
    router
      .get('/orders/:id', end)
      .put('/Orders/:id', end)
      .all('/Orders', end)
      .use(async (_context, next) => next())
    const app = new Koa()
    app.use(router.routes()).use(router.allowedMethods())
    const expected = [
      ['PUT', '/shop/Orders/:id', ['upper-case']],
      ['*', '/shop/Orders', ['upper-case']],
    ]
    expect(found(app)).toEqual(expected)
    expect(found(router)).toEqual(expected)
    expect(found(new Koa())).toEqual([])
  })

  it('reads lists and resources, with their archetypes', () => {
    const list = [{ method: 'GET', path: '/order', archetype: 'collection' } as const]
    expect(found(list)).toEqual([['GET', '/order', ['plural']]])
    const { resources } = createOrdersService()
    expect(found(resources.routes)).toEqual([])
    expect(resources.routes.length).toBeGreaterThan(20)
  })

  it('throws with the accepted arguments for anything else', () => {
    expect(() => checkRoutes({})).toThrow('expected an Express or Koa application')
  })
})
