import fc from 'fast-check'
import Fastify, { type FastifyInstance, type RouteHandlerMethod } from 'fastify'
import { createManagement, HttpError, type Management } from 'upkeep'
import { handleErrors, manage, observe } from 'upkeep/fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listenOn } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'
import { expectedRecord, recordRequests } from '../support/record-requests.ts'
import { recordSpans } from '../support/record-spans.ts'
import { requestCounts } from '../support/request-counts.ts'

const ok: RouteHandlerMethod = async () => 'ok'
const refuse: RouteHandlerMethod = async () => {
  throw new HttpError(409, 'no')
}

/** Registers routes in all ways that Fastify has, in one application. */
function createApp(management: Management): FastifyInstance {
  const handleError = handleErrors({ report: () => {} })
  const app = Fastify({
    frameworkErrors: handleError,
    rewriteUrl: ({ url = '' }) => url.replace(/^\/old\//, '/orders/'),
    routerOptions: { maxParamLength: 20 },
  })
  app.setErrorHandler(handleError)
  app.register(observe(management))
  app.register(manage(management))
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/moved/')) return reply.redirect('/plain')
    return
  })
  app.get('/', ok)
  app.get('/plain', ok)
  app.route({ method: ['GET', 'POST'], url: '/orders/:id', handler: ok })
  app.get('/optional/:id?', ok)
  app.get('/file/:name(^\\d+).png', ok)
  app.get('/near/:latitude-:longitude/radius/:r', ok)
  app.get('/files/*', ok)
  app.all('/any/:x', ok)
  app.get('/headless/:id', { exposeHeadRoute: false }, ok)
  app.get('/versioned/:id', { constraints: { version: '1.2.0' } }, ok)
  app.get('/hosted/:id', { constraints: { host: 'orders.example' } }, ok)
  app.get('/literal::colon', ok)
  app.get('/throws/:id', refuse)
  app.get('/refused/:id', { preHandler: refuse.bind(app) as never }, ok)
  app.get('/valid/:id', { schema: { params: { type: 'object', properties: { id: { type: 'integer' } } } } }, ok)
  app.get('/lost/:id', (_request, reply) => reply.callNotFound())
  app.get('/elsewhere/:id', (_request, reply) => reply.redirect('/plain', 303))
  app.register(
    (tenant, _options, done) => {
      tenant.addHook('onRequest', async (request, reply) => {
        if (request.headers.authorization === 'nobody') return reply.code(401).send()
        return
      })
      tenant.setNotFoundHandler((_request, reply) => void reply.code(404).send('no such thing of the tenant'))
      tenant.get('/', ok)
      tenant.get('/items/:item', ok)
      tenant.register(
        (team, _nested, ready) => {
          team.get('/members/:member', ok)
          ready()
        },
        { prefix: '/teams/:team' },
      )
      done()
    },
    { prefix: '/v1/:tenant' },
  )
  return app
}

describe('the template of a route of Fastify', () => {
  const spans = recordSpans()
  const management = createManagement({ metrics: { runtime: false, maximumSeriesPerMeter: 100_000 } })
  const app = createApp(management)
  let port = 0
  beforeAll(async () => {
    await app.ready()
    port = await listenOn(app.server)
  })
  afterAll(() => app.close())
  const record = recordRequests(() => port, management.meters, spans)

  it.each([
    ['/', '/'],
    ['/plain?a=/b', '/plain'],
    ['/orders/acme', '/orders/:id'],
    ['/orders/a%2Fb', '/orders/:id'],
    ['/old/acme', '/orders/:id'],
    ['/optional/acme', '/optional/:id?'],
    ['/optional', '/optional/:id?'],
    ['/file/17.png', '/file/:name(^\\d+).png'],
    ['/near/15-17/radius/9', '/near/:latitude-:longitude/radius/:r'],
    ['/files/acme/deep/down', '/files/*'],
    ['/files/', '/files/*'],
    ['/any/acme', '/any/:x'],
    ['/literal:colon', '/literal::colon'],
    ['/v1/acme', '/v1/:tenant'],
    ['/v1/acme/', '/v1/:tenant'],
    ['/v1/acme/items/7', '/v1/:tenant/items/:item'],
    ['/v1/acme/teams/red/members/7', '/v1/:tenant/teams/:team/members/:member'],
  ])('of %s is %s', async (target, template) => {
    expect(await record(target)).toEqual(expectedRecord(template, 'GET', 200))
  })

  it.each([
    ['/orders/acme', 'HEAD', 200, '/orders/:id'],
    ['/orders/acme', 'POST', 200, '/orders/:id'],
    ['/any/acme', 'DELETE', 200, '/any/:x'],
    ['/any/acme', 'OPTIONS', 200, '/any/:x'],
    ['/throws/acme', 'GET', 409, '/throws/:id'],
    ['/refused/acme', 'GET', 409, '/refused/:id'],
    ['/valid/acme', 'GET', 400, '/valid/:id'],
    ['/elsewhere/acme', 'GET', 303, '/elsewhere/:id'],
    ['/v1/acme/nothing', 'GET', 404, '/v1/:tenant/**'],
  ])('of %s, requested by %s with status %s, is %s', async (target, method, status, template) => {
    expect(await record(target, method)).toEqual(expectedRecord(template, method, status))
  })

  it.each([
    [`/orders/${'a'.repeat(21)}`, 414],
    ['/orders/%zz', 400],
  ])('is not requested where Fastify calls no hook: %s, status %s', async (target, status) => {
    const before = requestCounts(management.meters)
    expect((await createRawClient(port)({ target })).status).toBe(status)
    expect(requestCounts(management.meters)).toEqual(before)
    expect(spans.all()).toEqual([])
    expect(await record('/plain')).toEqual(expectedRecord('/plain', 'GET', 200))
  })

  it('is available when a hook responds before the route', async () => {
    expect(await record('/v1/acme/items/7', 'GET', { Authorization: 'nobody' })).toEqual(
      expectedRecord('/v1/:tenant/items/:item', 'GET', 401),
    )
  })

  it('is that of the matching constraints', async () => {
    expect(await record('/versioned/7', 'GET', { 'Accept-Version': '1.x' })).toEqual(
      expectedRecord('/versioned/:id', 'GET', 200),
    )
    expect(await record('/hosted/7', 'GET', { Host: 'orders.example' })).toEqual(
      expectedRecord('/hosted/:id', 'GET', 200),
    )
  })

  it.each([
    ['/nothing/acme', 'GET', 404, 'NOT_FOUND'],
    ['/plain/', 'GET', 404, 'NOT_FOUND'],
    ['/PLAIN', 'GET', 404, 'NOT_FOUND'],
    ['/plain', 'POST', 404, 'NOT_FOUND'],
    ['/plain', 'OPTIONS', 404, 'NOT_FOUND'],
    ['/headless/acme', 'HEAD', 404, 'NOT_FOUND'],
    ['/file/acme.png', 'GET', 404, 'NOT_FOUND'],
    ['/versioned/acme', 'GET', 404, 'NOT_FOUND'],
    ['/hosted/acme', 'GET', 404, 'NOT_FOUND'],
    // The route itself responds with 404.
    ['/lost/acme', 'GET', 404, 'NOT_FOUND'],
    ['/moved/acme', 'GET', 302, 'REDIRECTION'],
  ])('is undefined for %s by %s with status %s', async (target, method, status, word) => {
    expect(await record(target, method)).toEqual(expectedRecord(undefined, method, status, word))
  })

  it('never contains what the client sent', async () => {
    const word = fc.stringMatching(/^[A-Za-z0-9._~!$'()*+,;=:@-]{1,6}$/).map((text) => `zq${text}`)
    const fixed = [
      'orders',
      'optional',
      'file',
      'near',
      'files',
      'any',
      'valid',
      'throws',
      'lost',
      'v1',
      'teams',
      'items',
    ]
    const segment = fc.oneof(
      word,
      word.map((text) => encodeURIComponent(`${text}/☂`)),
      fc.constantFrom(...fixed, 'members', 'moved', 'old'),
    )
    const path = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => `/${segments.join('/')}`)
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom('GET', 'HEAD', 'POST', 'OPTIONS'), async (target, method) => {
        const { timed, span } = await record(target, method)
        expect(timed).not.toMatch(/zq/i)
        expect(span).not.toMatch(/zq/i)
      }),
      { numRuns: 200 },
    )
  })
})
