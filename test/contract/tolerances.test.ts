import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bearerToken, createManagement, type HealthOptions } from 'upkeep'
import { contract } from 'upkeep/contract'
import { manage } from 'upkeep/node'
import { describe, expect, it, onTestFinished } from 'vitest'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function outcomeOf(id: string, listener: RequestListener, profile: 'upkeep' | 'spring' = 'upkeep') {
  const [one] = contract({ baseUrl: await serve(listener), basePath: '/management', only: [id], profile })
  return one?.check()
}

const managed = manage(createManagement({ application: { name: 'orders' }, expose: ['health', 'info'] }))

/** Like the middleware `compression`: adds Vary to compressible content only, and a 304 has no content. */
const compressing: RequestListener = (req, res) => {
  const writeHead = res.writeHead.bind(res)
  Object.assign(res, {
    writeHead(status: number, headers: Readonly<Record<string, string>> = {}) {
      const vary = headers['Vary'] ?? res.getHeader('vary')
      return writeHead(status, status === 200 ? { ...headers, Vary: `${vary}, Accept-Encoding` } : headers)
    },
  })
  managed(req, res)
}

function links(others: Readonly<Record<string, RequestListener>>): RequestListener {
  return (req, res) => {
    const handle = others[req.url ?? '']
    if (handle !== undefined) return handle(req, res)
    const self = { self: { href: '/management', templated: false } }
    const all = Object.keys(others).map((href) => [href.split('/').at(-1), { href, templated: false }])
    res.setHeader('Content-Type', 'application/json')
    res.end(JSON.stringify({ _links: { ...self, ...Object.fromEntries(all) } }))
  }
}

describe('the contract', () => {
  it('holds for a service behind middleware that compresses and adds Vary to a 200 only', async () => {
    const response = await fetch(`${await serve(compressing)}/management/info`)
    expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding')
    expect(await outcomeOf('conventions.etag.304-fields', compressing)).toEqual({ kind: 'held' })
  })

  it('does not hold for a 304 without Vary', async () => {
    const forgetful: RequestListener = (req, res) => {
      if (req.headers['if-none-match'] !== undefined) {
        res.writeHead(304, { ETag: '"a"' }).end()
        return
      }
      res.writeHead(200, { ETag: '"a"', Vary: 'Accept, Accept-Encoding', 'Content-Type': 'application/json' })
      res.end(JSON.stringify({ _links: { info: { href: '/management/info' } } }))
    }
    const outcome = await outcomeOf('conventions.etag.304-fields', forgetful)
    expect(outcome).toMatchObject({ kind: 'broken', violation: { expected: 'Vary: Accept' } })
  })

  it('accepts a link to an endpoint that only supports POST', async () => {
    const shutdown: RequestListener = (_, res) => res.writeHead(405, { Allow: 'POST, OPTIONS' }).end()
    expect(await outcomeOf('discovery.links.answer', links({ '/management/shutdown': shutdown }))).toEqual({
      kind: 'held',
    })
  })

  it.each<readonly [string, RequestListener]>([
    ['a 405 that allows GET', (_, res) => res.writeHead(405, { Allow: 'GET' }).end()],
    ['a 405 without Allow', (_, res) => res.writeHead(405).end()],
    ['a 404', (_, res) => res.writeHead(404).end()],
  ])('does not accept a link to %s', async (_, handle) => {
    const outcome = await outcomeOf('discovery.links.answer', links({ '/management/shutdown': handle }))
    expect(outcome?.kind).toBe('broken')
  })

  it('accepts links to other places that exist, and templates below them', async () => {
    const found: RequestListener = (_, res) => res.end()
    const id = 'discovery.links.below-base'
    expect(await outcomeOf(id, links({ '/livez': found, '/meters': found, '/meters/{name}': found }))).toEqual({
      kind: 'held',
    })
  })

  it.each([
    ['an id', 'info'],
    ['a URL without a path', 'http://127.0.0.1'],
    ['a template', '/meters/{name}'],
  ])('does not accept %s as a link to another place', async (_, href) => {
    const outcome = await outcomeOf('discovery.links.below-base', links({ [href]: (_, res) => res.end() }))
    expect(outcome?.kind).toBe('broken')
  })

  it.each([
    ['a server that rejects other names than localhost', ['contract.example:8443'], { kind: 'held' }],
    [
      'a server that rejects any other name',
      ['contract.example:8443', 'localhost:8443'],
      { kind: 'skipped', reason: 'the service rejects requests with other names in Host (421)' },
    ],
  ])('has %s link to the host of the request', async (_, rejected, outcome) => {
    const strict: RequestListener = (req, res) => {
      const { host = '' } = req.headers
      if (rejected.includes(host)) return void res.writeHead(421).end()
      res.setHeader('Content-Type', 'application/json')
      res.end(JSON.stringify({ _links: { self: { href: `http://${host}/management`, templated: false } } }))
    }
    expect(await outcomeOf('discovery.links.own-host', strict)).toEqual(outcome)
  })

  describe.each(['health.details.authorized', 'health.details.not-mixed'])('%s', (id) => {
    const outcome = async (indicators: HealthOptions['indicators'], showDetails: HealthOptions['showDetails']) => {
      const health = { indicators, showDetails }
      const management = createManagement({ expose: ['health'], health, authorize: bearerToken('s3cret') })
      const [one] = contract({ baseUrl: await serve(manage(management)), only: [id], token: 's3cret' })
      return one?.check()
    }

    it('is skipped if no component has details', async () => {
      expect(await outcome({ db: () => 'UP' }, 'when-authorized')).toEqual({
        kind: 'skipped',
        reason: 'no component has details',
      })
    })

    it('holds if a component has details', async () => {
      const db = () => ({ status: 'UP', details: { rows: 1 } }) as const
      expect(await outcome({ db }, 'when-authorized')).toEqual({ kind: 'held' })
    })

    it('does not hold if an authorized caller sees no component', async () => {
      expect(await outcome({ db: () => 'UP' }, 'never')).toMatchObject({ kind: 'broken' })
    })
  })

  describe('probes.readiness.together', () => {
    const probe = (report: (count: number) => object): RequestListener => {
      let count = 0
      return (_, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.end(JSON.stringify(report(count++)))
      }
    }

    it('accepts details that a check measures each time', async () => {
      const measured = probe((latency) => ({
        status: 'UP',
        components: { db: { status: 'UP', details: { latency: `${latency}ms` } } },
      }))
      expect(await outcomeOf('probes.readiness.together', measured)).toEqual({ kind: 'held' })
    })

    it.each([
      ['status', (count: number) => ({ status: count === 7 ? 'UNKNOWN' : 'UP' })],
      [
        'status beside a component of that name',
        (count: number) => ({ status: count === 7 ? 'UNKNOWN' : 'UP', components: { status: { status: 'UP' } } }),
      ],
      ['component', (count: number) => ({ status: 'UP', components: count === 7 ? {} : { db: { status: 'UP' } } })],
      [
        'status of a component',
        (count: number) => ({
          status: 'UP',
          components: { caches: { status: 'UP', components: { near: { status: count === 7 ? 'UNKNOWN' : 'UP' } } } },
        }),
      ],
    ])('does not accept that one of the responses has another %s', async (_, report) => {
      expect(await outcomeOf('probes.readiness.together', probe(report))).toMatchObject({ kind: 'broken' })
    })
  })

  it('compares the length of HEAD with a simultaneous GET of a changing document', async () => {
    let count = 0
    const changing: RequestListener = (req, res) => {
      const content = JSON.stringify({
        count: 10 ** Math.floor(count++ / 3),
        _links: { info: { href: '/management/info' } },
      })
      res.setHeader('Content-Type', 'application/json')
      res.setHeader('Content-Length', content.length)
      res.end(req.method === 'HEAD' ? undefined : content)
    }
    expect(await outcomeOf('conventions.head.length', changing)).toEqual({ kind: 'held' })
  })

  it('accepts that the entity tag of metrics changes between GET and HEAD, but not that HEAD has none', async () => {
    let count = 0
    const metrics =
      (hasTag: (method?: string) => boolean): RequestListener =>
      (req, res) => {
        if (hasTag(req.method)) res.setHeader('ETag', `"${count++}"`)
        res.end()
      }
    const outcome = (hasTag: (method?: string) => boolean) =>
      outcomeOf('conventions.head.metrics-fields', links({ '/management/metrics': metrics(hasTag) }))
    expect(await outcome(() => true)).toEqual({ kind: 'held' })
    expect(await outcome((method) => method === 'GET')).toMatchObject({ kind: 'broken' })
  })

  it('does not require readiness of a default Spring Boot to include the database', () => {
    const ids = contract({ baseUrl: 'http://127.0.0.1', profile: 'spring' }).map(({ id }) => id)
    expect(ids).not.toContain('probes.database-down.readiness-503')
    expect(ids).not.toContain('conventions.paths.trailing-slash')
    expect(ids).toContain('probes.database-down.liveness-200')
  })

  it('describes the expected header field in words', async () => {
    const outcome = await outcomeOf('conventions.caching.control', links({}))
    expect(outcome).toMatchObject({
      kind: 'broken',
      violation: { expected: 'Cache-Control: max-age, no-cache or no-store' },
    })
  })
})
