import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express, RequestHandler, Response } from 'express'
import fc from 'fast-check'
import { createManagement, type Management } from 'upkeep'
import { observe } from 'upkeep/express'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'
import { requestCounts } from '../support/request-counts.ts'
import { expressVersions } from './frameworks/express.ts'

type Version = keyof typeof expressVersions

/** Mounts routes in all ways that Express has, in one application. */
function createApp(version: Version, management: Management): RequestListener {
  const express = expressVersions[version]
  const is5 = version !== 'Express 4'
  const ok: RequestHandler = (_req, res) => void res.end('ok')
  const fail = () => {
    throw new Error('no')
  }
  const app: Express = express()
  app.use(observe(management))
  app.get('/', ok)
  app.get('/plain', ok)
  app.get(['/list', '/array/:id'], ok)
  app.get(/^\/file-(\d+)$/, ok)
  app.route('/chained/:id').get(ok).post(ok)
  app.all(is5 ? '/guarded/*rest' : '/guarded/*', (_req, _res, next) => next())
  app.get('/guarded/:secret/open', ok)

  const inner = express.Router()
  inner.get('/', ok)
  inner.get('/items/:item', ok)
  inner.get('/fail/:item', fail)
  inner.get('/late/:item', (_req, _res, next) => next(new Error('late')))
  inner.use('/middle/:m', (req, res, next) => (req.query['answer'] === undefined ? next() : void res.end('middle')))
  const outer = express.Router({ mergeParams: true })
  outer.use('/teams/:team', inner)
  outer.get('/about', ok)
  app.use('/org/:org', outer)
  app.use('/files-:name', inner)
  app.use(['/one/:a', '/two/:b'], inner)
  app.use(/^\/u\/[^/]+/, inner)
  app.use('/v1/:x', outer)

  const changing = express.Router()
  changing.param('who', (req, _res, next) => {
    req.params['who'] = 'changed'
    next()
  })
  changing.use('/who/:who', inner)
  app.use(changing)

  const sub = express()
  sub.get('/report/:year', ok)
  sub.get('/broken/:year', fail)
  const nested = express.Router()
  nested.get('/deep/:d', ok)
  sub.use('/n/:n', nested)
  app.use('/sub/:tenant', sub)

  app.use('/static/:any', ok)
  app.use((error: unknown, _req: unknown, res: Response, _next: unknown) => {
    res.status(error instanceof Error ? 500 : 400).end()
  })
  return app
}

/** Templates that cannot be found with Express 5.2 and older, whose routers do not store patterns. */
const forgotten = new Map([
  ['/files-acme/items/7', 'UNKNOWN'],
  ['/one/acme/items/7', 'UNKNOWN'],
  ['/two/acme/items/7', 'UNKNOWN'],
  ['/u/acme/items/7', 'UNKNOWN'],
  ['/sub/acme/n/5/deep/6', 'UNKNOWN'],
])

describe.each(['Express 5', 'Express 5.2', 'Express 4'] as const)('the template of a route of %s', (version) => {
  const management = createManagement({ metrics: { runtime: false, maximumSeriesPerMeter: 100_000 } })
  const server = createServer(createApp(version, management))
  let base = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  /** The recorded uri, method and status of a request. */
  const record = async (target: string, method = 'GET') => {
    const before = requestCounts(management.meters)
    const response = await fetch(base + target, { method, redirect: 'manual' })
    await response.arrayBuffer()
    const changed = () => [...requestCounts(management.meters)].filter(([id, count]) => count !== (before.get(id) ?? 0))
    await expect.poll(() => changed().length).toBe(1)
    return changed()[0]?.[0].split(' ').slice(0, 3).join(' ')
  }

  it.each([
    ['/', '/'],
    ['/plain', '/plain'],
    ['/PLAIN/', '/plain'],
    ['/list', '(/list|/array/:id)'],
    ['/array/acme', '(/list|/array/:id)'],
    ['/file-17', '/^\\/file-(\\d+)$/'],
    ['/chained/acme', '/chained/:id'],
    ['/guarded/acme/open', '/guarded/:secret/open'],
    ['/org/acme/about', '/org/:org/about'],
    ['/org/about/about', '/org/:org/about'],
    ['/org/acme/teams/red', '/org/:org/teams/:team'],
    ['/org/acme/teams/red/items/7', '/org/:org/teams/:team/items/:item'],
    ['/ORG/acme/Teams/red/items/7?a=/b', '/org/:org/teams/:team/items/:item'],
    ['/org/a%2Fb/teams/%20/items/%E2%98%82', '/org/:org/teams/:team/items/:item'],
    ['/v1/acme/teams/red/items/7', '/v1/:x/teams/:team/items/:item'],
    ['/files-acme/items/7', '/files-:name/items/:item'],
    ['/one/acme/items/7', '(/one/:a|/two/:b)/items/:item'],
    ['/two/acme/items/7', '(/one/:a|/two/:b)/items/:item'],
    ['/u/acme/items/7', '/^\\/u\\/[^/]+/items/:item'],
    ['/who/acme/items/7', '/who/:who/items/:item'],
    ['/sub/acme/report/1999', '/sub/:tenant/report/:year'],
    ['/sub/acme/n/5/deep/6', '/sub/:tenant/n/:n/deep/:d'],
  ])('of %s is %s', async (target, template) => {
    const expected = version === 'Express 5.2' ? (forgotten.get(target) ?? template) : template
    expect(await record(target)).toBe(`${expected} GET 200`)
  })

  it.each([
    ['/org/acme/teams/red/fail/7', '/org/:org/teams/:team/fail/:item GET 500'],
    ['/org/acme/teams/red/late/7', '/org/:org/teams/:team/late/:item GET 500'],
    ['/sub/acme/broken/1999', '/sub/:tenant/broken/:year GET 500'],
  ])('is reported for %s, which throws', async (target, expected) => {
    expect(await record(target)).toBe(expected)
  })

  it.each([
    ['/org/acme', 'GET', 'NOT_FOUND GET 404'],
    ['/org/acme/nothing', 'GET', 'NOT_FOUND GET 404'],
    ['/plain', 'POST', 'NOT_FOUND POST 404'],
    ['/static/acme/x', 'GET', '/static/:any/** GET 200'],
    ['/org/acme/teams/red/middle/acme?answer', 'GET', '/org/:org/teams/:team/middle/:m/** GET 200'],
    ['/chained/acme', 'OPTIONS', 'UNKNOWN OPTIONS 200'],
    ['/org/acme/teams/red/items/7', 'OPTIONS', '/org/:org/teams/:team/** OPTIONS 200'],
    ['/chained/acme', 'HEAD', '/chained/:id HEAD 200'],
    ['/chained/acme', 'POST', '/chained/:id POST 200'],
  ])('of %s %s is %s', async (target, method, expected) => {
    expect(await record(target, method)).toBe(expected)
  })

  it('is that of the last route that passed the request on, if no other responds', async () => {
    const template = version === 'Express 4' ? '/guarded/*' : '/guarded/*rest'
    expect(await record('/guarded/acme')).toBe(`${template} GET 404`)
    expect(await record('/guarded/acme/x')).toBe(`${template} GET 404`)
  })

  it('never contains what the client sent', async () => {
    const word = fc.stringMatching(/^[A-Za-z0-9._~!$'()*+,;=:@-]{1,6}$/).map((text) => `zq${text}`)
    const segment = fc.oneof(
      word,
      word.map((text) => `files-${text}`),
      word.map((text) => encodeURIComponent(`${text}/☂`)),
      fc.constantFrom(
        'org',
        'teams',
        'items',
        'one',
        'u',
        'who',
        'sub',
        'n',
        'deep',
        'report',
        'fail',
        'guarded',
        'v1',
        'static',
        'middle',
      ),
    )
    const path = fc.oneof(
      fc.array(segment, { minLength: 1, maxLength: 7 }).map((segments) => `/${segments.join('/')}`),
      fc.tuple(word, word, word).map(([a, b, c]) => `/org/${a}/teams/${b}/items/${c}`),
      fc.tuple(word, word, word).map(([a, b, c]) => `/org/${a}/teams/${b}/middle/${c}/?answer`),
      fc.tuple(fc.constantFrom('one', 'two', 'u', 'who'), word, word).map(([a, b, c]) => `/${a}/${b}/fail/${c}`),
    )
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom('GET', 'POST', 'OPTIONS'), async (target, method) => {
        expect((await record(target, method)) ?? '').not.toMatch(/zq/i)
      }),
      { numRuns: 300 },
    )
  })
})

describe('an error in a mounted application', () => {
  it('has no template before a request was handled there', async () => {
    const management = createManagement({ metrics: { runtime: false } })
    const app = expressVersions['Express 5']()
    const sub = expressVersions['Express 5']()
    sub.get('/broken/:year', (req, res) => {
      if (req.query['fixed'] === undefined) throw new Error('no')
      res.end()
    })
    app.use(observe(management)).use('/sub/:tenant', sub)
    app.use((_error: unknown, _req: unknown, res: Response, _next: unknown) => void res.status(500).end())
    const { port, close } = await listen(app)
    onTestFinished(close)
    for (const query of ['', '?fixed', '']) await createRawClient(port)({ target: `/sub/acme/broken/1999${query}` })
    await expect
      .poll(() => [...requestCounts(management.meters).keys()])
      .toEqual([
        'UNKNOWN GET 500 SERVER_ERROR none',
        '/sub/:tenant/broken/:year GET 200 SUCCESS none',
        '/sub/:tenant/broken/:year GET 500 SERVER_ERROR none',
      ])
  })
})
