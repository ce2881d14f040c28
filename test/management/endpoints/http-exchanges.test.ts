import { once } from 'node:events'
import { createServer, get, type RequestListener } from 'node:http'
import { bearerToken, createManagement, type ManagementOptions } from 'upkeep'
import type { HttpExchangesOptions } from 'upkeep/instrumentation'
import { manage, observe } from 'upkeep/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listenOn } from '../../support/listen.ts'
import { createRawClient } from '../../support/raw-client.ts'

const canary = 'canary-7f3a91'
const token = { authorization: 'Bearer let-me-in' }

interface Exchange {
  readonly timestamp: string
  readonly request: Headed & { readonly method: string; readonly uri: string }
  readonly response: Headed & { readonly status: number }
  readonly timeTaken: string
  readonly template?: string
  readonly traceId?: string
  readonly requestBytes?: number
  readonly responseBytes?: number
  readonly aborted?: true
}

interface Headed {
  readonly headers: Readonly<Record<string, readonly string[]>>
}

const ship: RequestListener = (req, res) => {
  req.resume()
  res.setHeader('Content-Type', 'text/plain').setHeader('Content-Length', 7).end('shipped')
}

async function serve(
  httpExchanges?: HttpExchangesOptions,
  respond: RequestListener = ship,
  options: ManagementOptions = {},
) {
  const management = createManagement({
    expose: ['httpexchanges'],
    httpExchanges,
    authorize: bearerToken('let-me-in'),
    tracing: true,
    ...options,
  })
  const observed = observe(management, {
    route: ({ url = '' }) => {
      if (url.startsWith('/orders/')) return '/orders/:token'
      return url.startsWith('/items/') ? '/items/:id' : undefined
    },
  })
  const managed = manage(management)
  const server = createServer((req, res) => observed(req, res, () => managed(req, res, () => respond(req, res))))
  const port = await listenOn(server)
  onTestFinished(() => {
    management.close()
    server.closeAllConnections()
    server.close()
  })
  const send = createRawClient(port)
  const read = async () => (await send({ target: '/management/httpexchanges', headers: token })).body
  const exchanges = async () => (JSON.parse(await read()) as { exchanges: readonly Exchange[] }).exchanges
  /** Resolves when the responses of so many requests are closed. */
  const ended = async (count: number) => {
    await expect.poll(async () => (await exchanges()).length).toBe(count)
    return exchanges()
  }
  return { management, server, port, send, read, exchanges, ended }
}

describe('GET httpexchanges', () => {
  it("has the last requests in Spring Boot Actuator's form, the latest one first", async () => {
    const { port, send, ended } = await serve()
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const before = Date.now()
    await send({
      method: 'POST',
      target: '/orders/7?size=2',
      headers: { traceparent, Host: 'orders.example:8080' },
      body: 'ship',
    })
    await send({ target: '/elsewhere' })
    const [latest, first] = await ended(2)
    expect(first).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      request: { method: 'POST', uri: 'http://orders.example:8080/orders/REDACTED', headers: {} },
      response: { status: 200, headers: { 'Content-Type': ['text/plain'], 'Content-Length': ['7'] } },
      timeTaken: expect.stringMatching(/^PT\d+\.\d{6}S$/),
      template: '/orders/:token',
      traceId: '0af7651916cd43dd8448eb211c80319c',
      requestBytes: 4,
      responseBytes: 7,
    })
    expect(Math.abs(Date.parse(first?.timestamp ?? '') - before)).toBeLessThan(60_000)
    expect(latest).toMatchObject({ request: { uri: `http://127.0.0.1:${port}/elsewhere`, method: 'GET' } })
    expect(latest).not.toHaveProperty('template')
  })

  it('has the names that were asked for, without queries and fragments in their values', async () => {
    const { send, ended } = await serve({ requestHeaders: ['x-one', 'x-two', 'referer'] })
    const headers = { 'X-One': 'a /b?token=1 c#d e', 'X-Two': 'plain', Referer: '//a.example:81/b/c?d' }
    await send({ target: '/x', headers })
    const [exchange] = await ended(1)
    expect(exchange?.request.headers).toEqual({
      'X-One': ['a /b c e'],
      'X-Two': ['plain'],
      Referer: ['//a.example:81/b/c'],
    })
  })

  it('has a URI that can be parsed, whatever the client sent as its host and target', async () => {
    const { send, ended } = await serve()
    const hosts = ['a"b', 'a b', 'user:pw@host', 'orders:99999', '[::1]:80', '[:', '', 'a'.repeat(2_000), '..']
    for (const host of hosts) await send({ target: '/x', headers: { Host: host } })
    await send({ target: `http://orders.example/${'y'.repeat(5_000)}` })
    await send({ method: 'OPTIONS', target: '*' })
    const uris = (await ended(hosts.length + 2)).map(({ request }) => request.uri)
    expect(uris.filter((uri) => !URL.canParse(uri))).toEqual([])
    expect(uris).toContain('http://[::1]:80/x')
    expect(uris.join()).not.toContain('user:pw')
  })

  it('shows a response that was cut off with the status that was sent, or 0', async () => {
    const { port, server, ended } = await serve({}, (req, res) => {
      if (req.url === '/begun') res.write('a')
    })
    for (const path of ['/silent', '/begun']) {
      const request = get({ port, host: '127.0.0.1', path, agent: false }).on('error', () => {})
      await once(server, 'request')
      if (path === '/begun') await once(request, 'response')
      request.destroy()
    }
    const shown = (await ended(2)).map(({ request, response, aborted }) => [request.uri, response.status, aborted])
    expect(shown.map(([uri, ...rest]) => [String(uri).split('/').at(-1), ...rest]).sort()).toEqual([
      ['begun', 200, true],
      ['silent', 0, true],
    ])
  })

  it('keeps the last 100 requests, or as many as the option says', async () => {
    for (const [options, expected] of [
      [undefined, 100],
      [{ capacity: 3 }, 3],
    ] as const) {
      const { send, ended } = await serve(options)
      for (let at = 0; at < 105; at++) await send({ target: `/v${at}` })
      await expect.poll(async () => (await ended(expected))[0]?.request.uri).toMatch(/\/v104$/)
      const paths = (await ended(expected)).map(({ request }) => new URL(request.uri).pathname)
      expect(paths).toEqual(Array.from({ length: expected }, (_, at) => `/v${104 - at}`))
    }
  })

  it('drops the oldest requests beyond the limit of bytes, and counts them', async () => {
    const { management, send, exchanges } = await serve({ maximumBytes: 5_000 })
    for (let at = 0; at < 20; at++) await send({ target: `/v${at}?${'q'.repeat(1_500)}` })
    const dropped = () => [...management.meters.snapshot('upkeep.httpexchanges.dropped')][0]
    await expect.poll(() => dropped()).toMatchObject({ value: 18 })
    expect((await exchanges()).map(({ request }) => request.uri.split('/').at(-1))).toEqual(['v19', 'v18'])
  })

  it('keeps nothing if one request exceeds the limit', async () => {
    const { send, exchanges } = await serve({ maximumBytes: 10 })
    for (let at = 0; at < 3; at++) await send({ target: '/orders/1' })
    expect(await exchanges()).toEqual([])
  })

  it('has selected fields of requests and responses only', async () => {
    const options = { requestHeaders: ['User-Agent', 'referer', 'x-none'], responseHeaders: ['Location'] }
    const { send, ended } = await serve(options, (_req, res) => {
      res.writeHead(302, { 'Content-Length': 0 }).end()
    })
    const headers = { 'User-Agent': 'curl/8', Referer: `http://a.example/b?token=${canary}`, 'X-Other': canary }
    await send({ target: '/moved', headers })
    const [exchange] = await ended(1)
    expect(exchange?.request.headers).toEqual({ 'User-Agent': ['curl/8'], Referer: ['http://a.example/b'] })
    expect(exchange?.response.headers).toEqual({})
  })

  it.each([
    [`https://app.example/cb#code=${canary}`, 'https://app.example/cb'],
    [`https://app.example:8443/reset/${canary}?a=b ${canary}`, 'https://app.example:8443/reset/REDACTED'],
    [`/reset/${canary}`, '/reset/REDACTED'],
    [`reset/${canary}`, 'reset/REDACTED'],
    [`/login;jsessionid=${canary}/next`, '/login/next'],
    [`//app.example/${canary}`, '//app.example/REDACTED'],
    [`https://app.example\\${canary}`, 'https://REDACTED'],
    [`https://user:${canary}@app.example/cb`, 'https://***@app.example/cb'],
    [`https://user:a/${canary}@app.example/cb`, 'https://***@app.example/cb'],
    [`https://user:${canary}?b@app.example/cb`, 'https://REDACTED'],
    [`com.example.app:/cb/${canary}`, 'com.example.app:/cb/REDACTED'],
    [`mailto:${canary}`, 'mailto:REDACTED'],
    ['http://[::1]:80/orders?a=b@c', 'http://[::1]:80/orders'],
    ['', ''],
  ])('has the URL %s in a field as %s', async (url, expected) => {
    const { send, ended } = await serve(
      { requestHeaders: ['Referer'], responseHeaders: ['Location', 'content-location'] },
      (_req, res) => {
        res.setHeader('Location', url).setHeader('Content-Location', url).end()
      },
    )
    await send({ target: '/moved', headers: { Referer: url } })
    const [exchange] = await ended(1)
    expect(exchange?.request.headers).toEqual({ Referer: [expected] })
    expect(exchange?.response.headers).toEqual({ Location: [expected], 'Content-Location': [expected] })
  })

  it.each([
    [`/items/7;jsessionid=${canary}`, '/items/7'],
    [`/items/7#${canary}`, '/items/7'],
    [`/elsewhere;jsessionid=${canary}/list#${canary}`, '/elsewhere/list'],
    [`/elsewhere#${canary}?${canary}`, '/elsewhere'],
  ])('has the target %s as %s, without fragment and parameters', async (target, expected) => {
    const { send, ended } = await serve()
    await send({ target })
    expect((await ended(1))[0]?.request.uri.replace(/^http:\/\/[\d.:]*/, '')).toBe(expected)
  })

  it('contains no query, no secret of the path, no credentials and no content', async () => {
    const { send, ended, read } = await serve({ requestHeaders: ['x-link', 'x-next'] }, (req, res) => {
      req.resume()
      res.setHeader('Set-Cookie', `session=${canary}`).setHeader('Location', `/a?b=${canary}`).end(canary)
    })
    const headers = {
      Authorization: `Bearer ${canary}`,
      'Proxy-Authorization': `Basic ${canary}`,
      Cookie: `session=${canary}`,
      'X-Api-Key': canary,
      'X-Link': `https://user:${canary}@a.example/b?c=${canary}`,
      'X-Next': `https://a.example/b#${canary}`,
      'Content-Type': 'text/plain',
    }
    await send({ method: 'POST', target: `/orders/${canary}?${canary}&key=${canary}`, headers, body: canary })
    await send({ target: `/${canary}/${canary}`, headers })
    await ended(2)
    expect(await read()).not.toContain(canary)
  })

  it('has requests to the management only if these are observed', async () => {
    const { exchanges } = await serve()
    await exchanges()
    expect(await exchanges()).toEqual([])
    const observing = await serve({}, ship, { observation: { managementRequests: true } })
    await observing.exchanges()
    expect((await observing.ended(1))[0]).toMatchObject({ template: '/management/**' })
  })

  it('uses the redaction of the application', async () => {
    const { send, ended } = await serve({}, ship, { observation: { redactPath: () => '/hidden' } })
    await send({ target: '/orders/7' })
    expect((await ended(1))[0]?.request.uri).toMatch(/\/hidden$/)
  })

  it('is empty, and stays so, once the management is closed', async () => {
    const { management, send, ended, exchanges } = await serve()
    await send({ target: '/a' })
    await ended(1)
    management.close()
    await send({ target: '/b' })
    expect(await exchanges()).toEqual([])
  })

  it('requires a known caller, and responds to GET only', async () => {
    const { send } = await serve({}, ship, { access: { '*': 'public' } })
    const target = '/management/httpexchanges'
    expect(await send({ target })).toMatchObject({ status: 401 })
    const options = await send({ method: 'OPTIONS', target })
    expect(options.headers['allow']).toBe('GET, HEAD, OPTIONS')
  })
})

const fields = 'an array of names of header fields, without those that contain credentials'
const capacity = 'a whole number from 1 to 1000'

it.each([
  [{ capacity: 0 }, `capacity: expected ${capacity}, received 0`],
  [{ capacity: 1_001 }, `capacity: expected ${capacity}, received 1001`],
  [{ maximumBytes: 0.5 }, 'maximumBytes: expected a whole number of 1 or more, received 0.5'],
  [{ requestHeaders: ['Authorization'] }, `requestHeaders[0]: expected ${fields}, received "Authorization"`],
  [{ requestHeaders: ['x-api-key'] }, `requestHeaders[0]: expected ${fields}, received "x-api-key"`],
  [{ requestHeaders: ['X-Auth-User'] }, `requestHeaders[0]: expected ${fields}, received "X-Auth-User"`],
  [{ responseHeaders: ['set-cookie'] }, `responseHeaders[0]: expected ${fields}, received "set-cookie"`],
  [{ responseHeaders: ['a b'] }, `responseHeaders[0]: expected ${fields}, received "a b"`],
  [{ requestHeaders: 'accept' }, `requestHeaders: expected ${fields}, received "accept"`],
])('createManagement rejects httpExchanges %j', (httpExchanges, fault) => {
  expect(() => createManagement({ httpExchanges } as ManagementOptions)).toThrow(
    new TypeError(`createManagement: httpExchanges.${fault}`),
  )
})
