import { getRequestListener } from '@hono/node-server'
import fc from 'fast-check'
import { type Handler, Hono } from 'hono'
import { Hono as QuickHono } from 'hono/quick'
import { Hono as TinyHono } from 'hono/tiny'
import { createManagement, HttpError, type Management } from 'upkeep'
import { handleErrors, manage, observe } from 'upkeep/hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Listening, listen } from '../support/listen.ts'
import { expectedRecord, recordRequests } from '../support/record-requests.ts'
import { recordSpans } from '../support/record-spans.ts'

/** Versions with different routers, which store routes in different forms. */
const versions = { Hono, 'hono/quick': QuickHono, 'hono/tiny': TinyHono } as const

const ok: Handler = (context) => context.text('ok')
const refuse: Handler = () => {
  throw new HttpError(409, 'no')
}

/** Registers routes in all ways that Hono has, in one application. */
function createApp(version: keyof typeof versions, management: Management): Hono {
  const create = () => new versions[version]() as Hono
  const handleError = handleErrors({ report: () => {} })
  const app = create().onError(handleError)
  app.use(observe(management))
  app.use(manage(management))
  app.use('/guarded/*', async ({ req, text }, next) => (req.query('who') ? next() : text('no', 401)))
  app.get('/', ok)
  app.get('/plain', ok)
  app.get('/orders/:id', async (_context, next) => next(), ok)
  app.post('/orders/:id', ok)
  app.get('/optional/:id?', ok)
  app.get('/file/:name{[0-9]+\\.png}', ok)
  app.get('/files/*', ok)
  app.get('/rest/:path{.+}', ok)
  app.all('/any/:x', ok)
  app.all('/every/*', ok)
  app.on(['PUT', 'DELETE'], ['/one/:a', '/two/:b'], ok)
  app.get('/guarded/:secret/open', ok)
  app.get('/throws/:id', refuse)
  app.get('/lost/:id', ({ notFound }) => notFound())
  app.get('/passed/:id', (_context, next) => next())
  app.get('/elsewhere/:id', ({ redirect }) => redirect('/plain', 303))
  app.get('/stream/:id', () => new Response(new Blob(['a', 'b']).stream()))
  app.basePath('/v1/:tenant').get('/items/:item', ok)

  const team = create().get('/', ok).get('/members/:member', ok).get('/throws/:member', refuse)
  const org = create().onError((error, context) => handleError(error, context))
  org.route('/teams/:team', team).get('/about', ok).get('/throws/:year', refuse)
  app.route('/org/:org', org)
  const foreign = create().get('/report/:year', ok)
  app.mount('/mounted', foreign.fetch)
  app.use('/moved/*', async ({ redirect }) => redirect('/plain'))
  return app
}

const spans = recordSpans()

describe.each(Object.keys(versions) as (keyof typeof versions)[])('the template of a route of %s', (version) => {
  const management = createManagement({ metrics: { runtime: false, maximumSeriesPerMeter: 100_000 } })
  let listening: Listening
  beforeAll(async () => {
    listening = await listen(getRequestListener(createApp(version, management).fetch, { overrideGlobalObjects: false }))
  })
  afterAll(() => listening.close())
  const record = recordRequests(() => listening.port, management.meters, spans)

  it.each([
    ['/', '/'],
    ['/plain?a=/b', '/plain'],
    ['/orders/acme', '/orders/:id'],
    ['/orders/a%2Fb', '/orders/:id'],
    ['/optional/acme', '/optional/:id?'],
    ['/optional', '/optional/:id?'],
    ['/file/17.png', '/file/:name{[0-9]+\\.png}'],
    ['/files/acme/deep/down', '/files/*'],
    ['/rest/acme/deep/down', '/rest/:path{.+}'],
    ['/any/acme', '/any/:x'],
    ['/guarded/acme/open?who=me', '/guarded/:secret/open'],
    ['/stream/acme', '/stream/:id'],
    ['/v1/acme/items/7', '/v1/:tenant/items/:item'],
    ['/org/acme/about', '/org/:org/about'],
    ['/org/acme/teams/red', '/org/:org/teams/:team'],
    ['/org/acme/teams/red/members/7', '/org/:org/teams/:team/members/:member'],
    ['/x/../orders/acme', '/orders/:id'],
  ])('of %s is %s', async (target, template) => {
    expect(await record(target)).toEqual(expectedRecord(template, 'GET', 200))
  })

  it.each([
    ['/orders/acme', 'HEAD', 200, '/orders/:id'],
    ['/orders/acme', 'POST', 200, '/orders/:id'],
    ['/any/acme', 'OPTIONS', 200, '/any/:x'],
    ['/one/acme', 'PUT', 200, '/one/:a'],
    ['/two/acme', 'DELETE', 200, '/two/:b'],
    ['/throws/acme', 'GET', 409, '/throws/:id'],
    ['/org/acme/throws/1999', 'GET', 409, '/org/:org/throws/:year'],
    ['/org/acme/teams/red/throws/7', 'GET', 409, '/org/:org/teams/:team/throws/:member'],
    ['/lost/acme', 'GET', 404, '/lost/:id'],
    ['/passed/acme', 'GET', 404, '/passed/:id'],
    ['/elsewhere/acme', 'GET', 303, '/elsewhere/:id'],
    ['/guarded/acme/open', 'GET', 401, '/guarded/**'],
    ['/every/acme', 'GET', 200, '/every/**'],
    ['/mounted/report/1999', 'GET', 200, '/mounted/**'],
    ['/mounted/nothing/1999', 'GET', 404, '/mounted/**'],
    ['/moved/acme', 'GET', 302, '/moved/**'],
  ])('of %s, requested by %s with status %s, is %s', async (target, method, status, template) => {
    expect(await record(target, method)).toEqual(expectedRecord(template, method, status))
  })

  it.each([
    ['/nothing/acme', 'GET', 404, 'NOT_FOUND'],
    ['/PLAIN', 'GET', 404, 'NOT_FOUND'],
    ['/plain', 'POST', 404, 'NOT_FOUND'],
    ['/one/acme', 'GET', 404, 'NOT_FOUND'],
    ['/file/acme.png', 'GET', 404, 'NOT_FOUND'],
    ['/org/acme/nothing', 'GET', 404, 'NOT_FOUND'],
  ])('is undefined for %s by %s with status %s', async (target, method, status, word) => {
    expect(await record(target, method)).toEqual(expectedRecord(undefined, method, status, word))
  })

  it('never contains what the client sent', async () => {
    const word = fc.stringMatching(/^[A-Za-z0-9._~!$'()*+,;=:@-]{1,6}$/).map((text) => `zq${text}`)
    const fixed = [
      'orders',
      'optional',
      'file',
      'files',
      'rest',
      'any',
      'every',
      'one',
      'guarded',
      'throws',
      'lost',
      'v1',
    ]
    const segment = fc.oneof(
      word,
      word.map((text) => encodeURIComponent(`${text}/☂`)),
      fc.constantFrom(...fixed, 'items', 'org', 'teams', 'members', 'mounted', 'report', 'moved'),
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
