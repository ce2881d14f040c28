import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createManagement } from 'upkeep'
import { manage, serve } from 'upkeep/hono'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/listen.ts'
import { createOrdersService } from '../support/orders-service.ts'
import { createRawClient } from '../support/raw-client.ts'

async function statusesOf(app: Hono, targets: readonly string[]) {
  const { port, close } = await listen(getRequestListener(app.fetch, { overrideGlobalObjects: false }))
  onTestFinished(close)
  const send = createRawClient(port)
  return Promise.all(targets.map(async (target) => [target, (await send({ target })).status]))
}

const all = (status: number, targets: readonly string[]) => targets.map((target) => [target, status])

describe('dot segments in a path, on a server that resolves them in the URL and preserves the path', () => {
  const dotted = [
    '/management/./health',
    '/management/info/../health',
    '/management/info/%2E%2e/health',
    '/management/info/.%2e/health?x',
    '/orders/../management/health',
    '/management/health/.',
    '/management/health/x/..',
  ]
  const undotted = ['/management/health', '/management/health?x=/../y', '/management/health?x=/.']

  it('lead to no endpoint', async () => {
    const app = new Hono().use(manage(createManagement()))
    expect(await statusesOf(app, dotted)).toEqual(all(404, dotted))
    expect(await statusesOf(app, undotted)).toEqual(all(200, undotted))
  })

  it('lead to no resource', async () => {
    const app = new Hono().use(serve(createOrdersService().resources))
    const targets = ['/api/./orders/a', '/api/x/../orders/a', '/x/%2e%2e/api/orders/a']
    expect(await statusesOf(app, targets)).toEqual(all(404, targets))
    expect(await statusesOf(app, ['/api/orders/a'])).toEqual(all(200, ['/api/orders/a']))
  })

  it('lead to no endpoint of a mounted application, whose paths are shorter', async () => {
    const inner = new Hono().use(manage(createManagement()))
    const app = new Hono().mount('/ops', inner.fetch)
    const targets = ['/ops/management/health/../health', '/x/../ops/management/health']
    expect(await statusesOf(app, targets)).toEqual(all(404, targets))
    expect(await statusesOf(app, ['/ops/management/health'])).toEqual(all(200, ['/ops/management/health']))
  })
})

describe('a request whose environment has no path of its own', () => {
  it.each([
    ['is not there', undefined],
    ['is that of another server', { incoming: { url: 1 } }],
    ['has nothing of the name', {}],
  ])('%s: the path is that of the URL', async (_, env) => {
    const app = new Hono().use(manage(createManagement()))
    const send = async (url: string) => (await app.fetch(new Request(url), env)).status
    expect(await send('http://a/management/health')).toBe(200)
    expect(await send('http://a/management/./health')).toBe(200)
  })
})

describe('a response of the management in Hono', () => {
  it('has the request id of the application in error documents', async () => {
    const app = new Hono()
    app.use(async (context, next) => {
      context.header('X-Request-Id', 'r-7')
      await next()
    })
    app.use(manage(createManagement()))
    const response = await app.request('http://a/management/nothing')
    expect([response.status, response.headers.get('x-request-id')]).toEqual([404, 'r-7'])
    expect(await response.json()).toMatchObject({ status: 404, request_id: 'r-7' })
  })
})
