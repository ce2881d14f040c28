import { gunzipSync } from 'node:zlib'
import { bearerToken, createManagement, type ManagementOptions } from 'upkeep'
import type { ManagementRequest } from 'upkeep/adapter'
import { createLogger } from 'upkeep/logging'
import { describe, expect, it, onTestFinished } from 'vitest'
import { requestWith } from '../../support/management-request.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { readText } from '../../support/read-text.ts'

const authorization = 'Bearer let-me-in'
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

function createClient(options: ManagementOptions = {}) {
  const management = createManagement({
    expose: ['health', 'console', 'env'],
    authorize: bearerToken('let-me-in'),
    ...options,
  })
  onTestFinished(() => management.close())
  const send = async (target: string, { headers = {} }: Pick<Partial<ManagementRequest>, 'headers'> = {}) => {
    const response = await management({ ...requestWith(headers), target })
    if (response === undefined) throw new Error(`${target} was passed on`)
    return response
  }
  const read = async (path: string) => {
    const { status, body } = await send(`/management/console/${path}`, { headers: { authorization } })
    expect(status).toBe(200)
    return JSON.parse(String(body))
  }
  return { management, send, read }
}

function assetsOf(html: string): readonly string[] {
  return [...html.matchAll(/(?:href|src)="([^"]+\.(?:css|js))"/g)].map(([, path = '']) => path)
}

describe('the page', () => {
  it.each(['/management', '/management/console'])('is served at %s to a browser, without credentials', async (path) => {
    const { send } = createClient({ access: { '*': 'authorized' } })
    const { status, headers, body } = await send(path, { headers: { accept: browser } })
    expect([status, headers['Content-Type']]).toEqual([200, 'text/html; charset=utf-8'])
    const assets = assetsOf(String(body))
    expect(assets).toHaveLength(2)
    for (const asset of assets) {
      const { pathname } = new URL(asset, `http://localhost${path}`)
      expect((await send(pathname)).status).toBe(200)
    }
  })

  it('is not what other clients receive at the base path', async () => {
    const { send } = createClient()
    for (const accept of [undefined, '*/*', 'application/json', 'text/html;q=0.5, application/json']) {
      const { headers } = await send('/management', { headers: accept === undefined ? {} : { accept } })
      expect(headers['Content-Type']).toMatch(/json/)
    }
  })

  it('does not show the links to unknown callers where these are not public', async () => {
    const { send } = createClient({ access: { '*': 'authorized' } })
    expect((await send('/management')).status).toBe(401)
    const { status, headers } = await send('/management', { headers: { authorization } })
    expect([status, headers['Cache-Control']]).toEqual([200, 'no-store'])
  })

  it('permits its own files only', async () => {
    const { send } = createClient()
    const { headers } = await send('/management/console', { headers: { accept: browser } })
    expect(headers).toMatchObject({
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "frame-ancestors 'none'; form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'; " +
        "trusted-types 'none'",
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    })
  })

  it('is the same for every service', async () => {
    const pages = await Promise.all(
      ['orders', 'customers'].map(async (name) => {
        const { send } = createClient({ application: { name, version: '1.0.0' } })
        return String((await send('/management/console')).body)
      }),
    )
    expect(pages[0]).toBe(pages[1])
    expect(pages[0]).not.toContain('orders')
  })

  it('opens from a link of another site', async () => {
    const { send } = createClient()
    const headers = { accept: browser, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect((await send('/management/console', { headers })).status).toBe(200)
  })

  it('is where paths places it', async () => {
    const { send } = createClient({ paths: { console: '/ops' } })
    const html = String((await send('/ops', { headers: { accept: browser } })).body)
    for (const asset of assetsOf(html)) expect((await send(`/${asset}`)).status).toBe(200)
    const index = String((await send('/management', { headers: { accept: browser } })).body)
    for (const asset of assetsOf(index)) expect((await send(asset)).status).toBe(200)
  })

  it('is not served where its access is none', async () => {
    const { send } = createClient({ access: { console: 'none' } })
    expect((await send('/management/console')).status).toBe(404)
    const { headers } = await send('/management', { headers: { accept: browser } })
    expect(headers['Content-Type']).toMatch(/json/)
  })
})

describe('the files of the page', () => {
  it('are cached for a year, and compressed for clients that accept it', async () => {
    const { send } = createClient()
    const [path = ''] = assetsOf(String((await send('/management/console')).body))
    const compressed = await send(`/management/${path}`, { headers: { 'accept-encoding': 'gzip, br' } })
    const plain = await send(`/management/${path}`)
    expect(compressed.headers).toMatchObject({
      'Content-Encoding': 'gzip',
      'Cache-Control': 'max-age=31536000',
      Vary: 'Accept-Encoding',
    })
    expect(plain.headers).not.toHaveProperty('Content-Encoding')
    expect(gunzipSync(compressed.body as Uint8Array)).toEqual(plain.body)
  })

  it('are at names that change with their content', async () => {
    const { send } = createClient()
    expect((await send('/management/console/assets/console.js')).status).toBe(404)
  })
})

describe('the documents', () => {
  it('have the requests in progress, the oldest first, at most 50, redacted and without queries', async () => {
    const clock = createManualClock()
    const { management, read } = createClient({ clock })
    const responds: (() => void)[] = []
    const begin = (path: string, route?: string) => {
      clock.advance(1_000)
      const respond = () => new Promise<Response>((resolve) => responds.push(() => resolve(new Response())))
      return management.observation.beginFetch(
        new Request(`http://localhost${path}`),
        route,
        (source) => source,
        respond,
      )
    }
    const responses = [begin('/orders/7?token=canary', '/orders/:id'), begin('/nowhere/Canary;a=b')]
    for (let at = 0; at < 50; at++) responses.push(begin('/orders/8', '/orders/:id'))
    const { now, running, omittedRunning } = await read('requests')
    expect(running.slice(0, 2)).toEqual([
      { at: now - 51_000, method: 'GET', route: '/orders/:id', path: '/orders/7' },
      { at: now - 50_000, method: 'GET', path: '/nowhere/REDACTED' },
    ])
    expect([running.length, omittedRunning]).toEqual([50, 2])
    for (const respond of responds) respond()
    for (const response of await Promise.all(responses)) await response.text()
    expect(await read('requests')).toMatchObject({ running: [], omittedRunning: 0 })
  })

  it('have when each check ran, and run all of them on request', async () => {
    let runs = 0
    const check = () => {
      runs += 1
      return 'UP'
    }
    const { read } = createClient({ health: { indicators: { db: { check, cache: '1h' } } } })
    for (const path of ['health', 'health', 'health?check=now']) {
      const { now, root } = await read(path)
      const db = root.components.find((each: { readonly path: string }) => each.path === 'db')
      expect(db.check.seconds).toBeLessThan(10)
      expect(db.check.at).toBeLessThanOrEqual(now)
      expect(root.components.filter((each: object) => 'check' in each)).toEqual([db])
    }
    expect(runs).toBe(2)
  })

  it('describe the service, what is wrong, and where its endpoints are', async () => {
    const health = { indicators: { db: () => ({ status: 'DOWN', details: { error: 'connect ECONNREFUSED' } }) } }
    const { read } = createClient({ application: { name: 'orders', version: '1.4.2' }, health })
    const document = await read('overview')
    expect(document).toMatchObject({
      application: { name: 'orders', version: '1.4.2', pid: process.pid, node: process.version },
      health: { status: 'DOWN', liveness: 'UP', readiness: 'UP', components: { db: 'DOWN' } },
      findings: [{ kind: 'health', severity: 'critical', link: '#/health?component=db' }],
      links: { env: '/management/env', health: '/management/health' },
      viewers: { current: 0, maximum: 20 },
    })
    expect(document.findings[0].text).toBe('db is DOWN: connect ECONNREFUSED')
    await expect.poll(async () => (await read('overview')).vitals.rss, { timeout: 180_000 }).toBeGreaterThan(1e6)
  })

  it('show the details of health unless the application hides them', async () => {
    const health = { indicators: { db: () => ({ status: 'UP', details: { database: 'PostgreSQL' } }) } }
    const shown = await createClient({ health }).read('health')
    const hidden = await createClient({ health: { ...health, showDetails: 'never' } }).read('health')
    expect(shown.root.components[0]).toMatchObject({ path: 'db', status: 'UP', details: { database: 'PostgreSQL' } })
    expect(hidden.root.components[0]).not.toHaveProperty('details')
    expect(shown.groups).toEqual({ liveness: 'UP', readiness: 'UP' })
    expect(shown.changes).toContainEqual(expect.objectContaining({ path: 'db', from: 'UNKNOWN', to: 'UP' }))
  })

  it('list meters and the series of one', async () => {
    const { management, read } = createClient()
    management.meters.counter('orders.placed', { region: 'eu' }, { description: 'Orders' }).increment(3)
    management.meters.counter('orders.placed', { region: 'us' }).increment()
    const { meters } = await read('meters')
    expect(meters).toContainEqual({ name: 'orders.placed', kind: 'counter', description: 'Orders', series: 2 })
    const meter = await read('meters/orders.placed?tag=region:eu')
    expect(meter).toMatchObject({
      tags: { region: ['eu', 'us'] },
      series: [{ tags: { region: 'eu' }, values: { COUNT: 3 }, promql: 'rate(orders_placed_total{region="eu"}[5m])' }],
      omittedSeries: 0,
    })
  })

  it('list log records', async () => {
    const { read } = createClient()
    const logger = createLogger({ application: { name: 'orders' }, write: () => {} })
    logger.warn('pool is busy', { waiting: 3 })
    logger.info('ready')
    const { records } = await read('logs?level=warn')
    expect(records).toMatchObject([{ level: 'WARN', message: 'pool is busy', attributes: { waiting: 3 } }])
  })

  it.each([
    ['logs?level=loud', 400],
    ['logs?limit=many', 400],
    ['requests?limit=-1', 400],
    ['meters/orders.placed?tag=region', 400],
    ['meters/none', 404],
    ['requests/none', 404],
  ])('%s is refused with %i', async (path, status) => {
    const { send } = createClient()
    expect((await send(`/management/console/${path}`, { headers: { authorization } })).status).toBe(status)
  })

  it('require credentials', async () => {
    const { send } = createClient()
    const paths = ['overview', 'history', 'requests', 'requests/1', 'health', 'meters', 'meters/a', 'logs', 'stream']
    for (const path of paths) expect((await send(`/management/console/${path}`)).status).toBe(401)
  })
})

describe('the stream', () => {
  it('begins with the application, and ends when the management is closed', async () => {
    const { send, management } = createClient({ application: { name: 'orders' } })
    const { headers, body } = await send('/management/console/stream', { headers: { authorization } })
    expect(headers['Content-Type']).toBe('text/event-stream')
    const reading = readText(body as AsyncIterable<Uint8Array>)
    management.close()
    expect(await reading).toMatch(/^event: application\ndata: \{"name":"orders"/)
  })

  it('refuses a viewer beyond the limit, and accepts one when another has left', async () => {
    const { send } = createClient({ console: { viewers: 1 } })
    const open = async () => send('/management/console/stream', { headers: { authorization } })
    const first = await open()
    const chunks = (first.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    await chunks.next()
    const refused = await open()
    expect([refused.status, refused.headers['Retry-After']]).toEqual([429, '10'])
    await chunks.return?.()
    expect((await open()).status).toBe(200)
  })
})

describe('the option console', () => {
  it.each<[object, string]>([
    [{ maximumBytes: 1_000 }, 'console.maximumBytes: expected a whole number from 1048576 to 268435456, received 1000'],
    [{ viewers: 0 }, 'console.viewers: expected a whole number from 1 to 1000, received 0'],
    [{ memory: 1 }, 'unknown option "console.memory"; did you mean "console.maximumBytes"?'],
  ])('%o is invalid', (console, message) => {
    expect(() => createClient({ console })).toThrow(message)
  })
})
