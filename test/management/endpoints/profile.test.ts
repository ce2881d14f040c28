import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { bearerToken, createManagement, type Management, type ManagementOptions } from 'upkeep'
import { manage as manageExpress } from 'upkeep/express'
import { manage as manageFastify } from 'upkeep/fastify'
import { manage as manageHono } from 'upkeep/hono'
import { manage as manageKoa } from 'upkeep/koa'
import { manage, type WatchdogOptions, watchdog } from 'upkeep/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { listenOn } from '../../support/listen.ts'
import { createRawClient, type RawRequest, type RawResponse } from '../../support/raw-client.ts'

const canary = 'canary-7f3a9c'

const frameworks: Readonly<Record<string, (management: Management) => RequestListener>> = {
  'node:http': (management) => manage(management),
  Express: (management) => express().use(manageExpress(management)),
  Koa: (management) => new Koa().use(manageKoa(management)).callback(),
  Fastify: (management) => {
    const app = Fastify()
    app.register(manageFastify(management))
    const ready = app.ready()
    return (req, res) => void ready.then(() => app.routing(req, res))
  },
  Hono: (management) => {
    const app = new Hono().use(manageHono(management))
    return getRequestListener(app.fetch, { overrideGlobalObjects: false })
  },
}

const options: ManagementOptions = {
  expose: ['health', 'profile', 'pprof'],
  authorize: bearerToken('token'),
  profile: { interval: '1ms', heapInterval: 4_096 },
}

async function serve(create: (management: Management) => RequestListener = (management) => manage(management)) {
  const management = createManagement(options)
  const port = await listenOn(createServer(create(management)))
  onTestFinished(management.close)
  const send = createRawClient(port)
  return {
    ...{ management, port },
    get: (path: string, request: Partial<RawRequest> = {}) =>
      send({
        target: `/management/${path}`,
        ...request,
        headers: { Authorization: 'Bearer token', ...request.headers },
      }),
  }
}

function burnTheTime(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

/** Works half of the time until the test has finished. */
function keepBusy(): void {
  const timer = setInterval(burnTheTime, 40, 20)
  onTestFinished(() => clearInterval(timer))
}

/** Requests profiles until one has the function that works: a short one may have no sample of it. */
function profileWithWork(
  request: () => Promise<RawResponse>,
  textOf: (response: RawResponse) => string = ({ body }) => body,
): Promise<RawResponse> {
  return eventually(async () => {
    const response = await request()
    expect([response.status, textOf(response)]).toEqual([200, expect.stringContaining('burnTheTime')])
    return response
  })
}

describe.each(Object.keys(frameworks))('profiles through %s', (name) => {
  it('are recorded and sent', async () => {
    const { get } = await serve(frameworks[name])
    keepBusy()
    const response = await profileWithWork(() => get('profile?seconds=0.1&format=folded'))
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(response.body).toMatch(/^main;.*;burnTheTime \(file:.*profile\.test\.ts:\d+\)(;.*)? \d+$/m)
  })
})

describe('the endpoint profile', () => {
  it('sends pprof, compressed once', async () => {
    const { get } = await serve()
    keepBusy()
    const { headers } = await profileWithWork(
      () => get('profile?seconds=0.1', { headers: { 'Accept-Encoding': 'gzip' } }),
      ({ bytes }) => gunzipSync(bytes).toString('latin1'),
    )
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="profile.pb.gz"',
      'cache-control': 'no-store',
    })
    expect(headers['content-encoding']).toBeUndefined()
  })

  it('sends what DevTools opens, of the main thread or of another', async () => {
    const { get } = await serve()
    keepBusy()
    const wall = await profileWithWork(() => get('profile?seconds=0.1&format=cpuprofile'))
    expect(wall.headers['content-disposition']).toContain('profile.cpuprofile')
    const { nodes, samples, timeDeltas, startTime, endTime } = JSON.parse(wall.body)
    expect(nodes).toContainEqual(
      expect.objectContaining({ callFrame: expect.objectContaining({ functionName: 'burnTheTime' }) }),
    )
    expect(samples.length).toBe(timeDeltas.length)
    expect(endTime).toBeGreaterThan(startTime)
    const heap = await get('profile?seconds=0.05&format=cpuprofile&type=heap')
    expect(heap.headers['content-disposition']).toContain('heap.heapprofile')
    expect(JSON.parse(heap.body)).toHaveProperty('head.callFrame')
    expect((await get('profile?seconds=0.2&format=cpuprofile&thread=999')).status).toBe(404)
  })

  it('sends a page that loads nothing, and may run its own script only', async () => {
    const { get } = await serve()
    keepBusy()
    const { headers, body } = await profileWithWork(() => get('profile?seconds=0.1&format=flamegraph'))
    const policy = headers['content-security-policy'] ?? ''
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(nonce).toHaveLength(24)
    expect(body.match(/<(?:script|style) nonce="([^"]+)"/g)).toHaveLength(2)
    expect(body).toContain(`<script nonce="${nonce}">`)
    expect(body).not.toMatch(/\bsrc=|\bhref=|@import|url\(/)
  })

  it.each([
    ['seconds=0', 'seconds: expected a number of more than 0 and at most 300, received "0".'],
    ['seconds=301', 'seconds: expected a number of more than 0 and at most 300, received "301".'],
    ['seconds=1e2', 'seconds: expected a number of more than 0 and at most 300, received "1e2".'],
    ['seconds=', 'seconds: expected a number of more than 0 and at most 300, received "".'],
    ['type=cpu', 'type: expected one of wall, heap, received "cpu".'],
    ['format=svg', 'format: expected one of pprof, cpuprofile, folded, flamegraph, received "svg".'],
    ['thread=0', 'thread: expected "main" or the id of a worker thread, received "0".'],
  ])('rejects %s with 400', async (query, detail) => {
    const { get } = await serve()
    const response = await get(`profile?${query}`)
    expect([response.status, JSON.parse(response.body).detail]).toEqual([400, detail])
  })

  it('records nothing for HEAD, for OPTIONS, and for a caller that is refused', async () => {
    const { management, get } = await serve()
    const head = await get('profile?seconds=300', { method: 'HEAD' })
    expect([head.status, head.headers['content-type']]).toEqual([200, 'application/octet-stream'])
    expect((await get('profile', { method: 'OPTIONS' })).headers['allow']).toBe('GET, HEAD, OPTIONS')
    expect((await get('profile', { method: 'POST' })).status).toBe(405)
    expect((await get('profile?seconds=300', { headers: { Accept: 'image/png' } })).status).toBe(406)
    expect((await get('profile?seconds=300', { headers: { Authorization: 'Bearer other' } })).status).toBe(401)
    expect((await get('profile?seconds=300', { headers: { 'Sec-Fetch-Site': 'cross-site' } })).status).toBe(403)
    expect((await get('profile?seconds=300', { headers: { Origin: 'https://evil.example' } })).status).toBe(403)
    // None of them occupies the profiler.
    expect((await get('profile?seconds=0.1')).status).toBe(200)
    expect(management.describeOperations().map(({ path }) => path)).toContain('/management/pprof/heap')
  })

  it('rejects a second profile with 409, and ends the first when its client leaves', async () => {
    const { port, get } = await serve()
    const client = connect(port, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    client.write(
      'GET /management/profile?seconds=300 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\n\r\n',
    )
    await expect.poll(async () => (await get('profile?seconds=0.1')).status).toBe(409)
    const { headers, body } = await get('pprof/heap?seconds=1')
    expect(JSON.parse(body).detail).toMatch(/^Another profile is in progress until 20\d\d-\d\d-\d\dT.*Z\.$/)
    expect(Number(headers['retry-after'])).toBeGreaterThan(250)
    client.destroy()
    await expect.poll(async () => (await get('profile?seconds=0.1')).status).toBe(200)
  })

  it('shows no query and no source of a script, and nothing of the environment', async () => {
    process.env['UPKEEP_TEST_SECRET'] = canary
    onTestFinished(() => {
      delete process.env['UPKEEP_TEST_SECRET']
    })
    const body = `export function burnSecretly() {
      const end = performance.now() + 20
      while (performance.now() < end);
    }`
    const source = `data:text/javascript,${encodeURIComponent(`${body} // ${canary}`)}?${canary}`
    const { burnSecretly }: { burnSecretly: () => void } = await import(/* @vite-ignore */ source)
    const timer = setInterval(burnSecretly, 40)
    onTestFinished(() => clearInterval(timer))
    const { get } = await serve()
    for (const format of ['pprof', 'cpuprofile', 'folded', 'flamegraph']) {
      const sent = await eventually(async () => {
        const path = `profile?seconds=0.1&format=${format}&x=${canary}`
        const { bytes } = await get(path, { headers: { 'X-Secret': canary } })
        const text = format === 'pprof' ? gunzipSync(bytes).toString('latin1') : Buffer.from(bytes).toString()
        expect(text).toContain('burnSecretly')
        return text
      })
      expect(sent).not.toContain(canary)
    }
  })

  it.each([
    [{ interval: '0.05ms' }, 'profile.interval: expected a duration of "0.1ms" or more, received "0.05ms"'],
    [{ heapInterval: 0 }, 'profile.heapInterval: expected a whole number of 1 or more, received 0'],
    [{ rate: 1 }, 'unknown option "profile.rate"'],
  ])('rejects the options %j', (profile, message) => {
    expect(() => createManagement({ ...options, profile } as ManagementOptions)).toThrow(message)
  })

  it('requires the option authorize', () => {
    expect(() => createManagement({ expose: ['profile'] })).toThrow(
      'the endpoint "profile" requires the option "authorize"',
    )
    expect(() => createManagement({ expose: ['pprof'] })).toThrow(
      'the endpoint "pprof" requires the option "authorize"',
    )
  })

  it('rejects a profile with more samples than fit into memory', async () => {
    const management = createManagement({ ...options, profile: { interval: '0.1ms' } })
    onTestFinished(management.close)
    const send = createRawClient(await listenOn(createServer(manage(management))))
    const headers = { Authorization: 'Bearer token' }
    const { status, body } = await send({ target: '/management/pprof/profile?seconds=101', headers })
    expect([status, JSON.parse(body).detail]).toEqual([
      400,
      'seconds: expected at most 100 with a sampling interval of 0.1 ms, received "101".',
    ])
  })
})

describe('the endpoint pprof', () => {
  it('lists its profiles', async () => {
    const { get } = await serve()
    const { status, headers, body } = await get('pprof')
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect([...body.matchAll(/href="([^"?]+)/g)].map(([, href]) => href)).toEqual([
      ...['pprof/profile', 'pprof/heap', 'pprof/allocs'],
    ])
  })

  it.each(['profile', 'heap', 'allocs'])('sends %s', async (name) => {
    const { get } = await serve()
    const { status, bytes } = await get(`pprof/${name}?seconds=0.05`)
    expect(status).toBe(200)
    expect(gunzipSync(bytes).length).toBeGreaterThan(10)
    expect((await get(`pprof/${name}?seconds=x`)).status).toBe(400)
  })
})

describe('the port of a watchdog', () => {
  async function start(settings: Partial<WatchdogOptions>) {
    const management = createManagement(options)
    const dog = await watchdog(management, { port: 0, ...settings })
    onTestFinished(() => dog.close())
    const send = createRawClient(dog.port)
    const get = (path: string, headers: RawRequest['headers'] = {}) => send({ target: `/management/${path}`, headers })
    return Object.assign(get, { port: dog.port })
  }
  const basic = (password: string) => ({ Authorization: `Basic ${Buffer.from(`any:${password}`).toString('base64')}` })

  it('has no diagnostics without a token', async () => {
    const get = await start({})
    expect((await get('profile', basic('token'))).status).toBe(404)
    expect((await get('pprof/profile', { Authorization: 'Bearer token' })).status).toBe(404)
  })

  it('sends profiles to callers with a token, also while the main thread is blocked', async () => {
    const get = await start({ token: ['old', 'new'] })
    expect((await get('profile?seconds=0.1', { Authorization: 'Bearer old' })).status).toBe(200)
    const isReceived = new Int32Array(new SharedArrayBuffer(4))
    const workerData = { isReceived, port: get.port, headers: basic('new') }
    const client = new Worker(
      `const { parentPort, workerData: { isReceived, port, headers } } = require('node:worker_threads')
       fetch('http://127.0.0.1:' + port + '/management/profile?seconds=0.5&format=folded', { headers })
         .then((response) => response.text())
         .then((text) => parentPort.postMessage(text))
         .finally(() => Atomics.store(isReceived, 0, 1))`,
      { eval: true, workerData },
    )
    const received = once(client, 'message')
    // A watchdog that needed this thread would never respond; the limit ends the test then.
    const latest = performance.now() + 60_000
    while (Atomics.load(isReceived, 0) === 0 && performance.now() < latest) burnTheTime(1)
    expect(Atomics.load(isReceived, 0)).toBe(1)
    expect(String(await received)).toMatch(/^main;.*;burnTheTime \(file:.*\)(;.*)? \d+$/m)
  })

  it('refuses callers without a token, other names of the host, and other sites', async () => {
    const get = await start({ token: 'new' })
    const refused = await get('profile')
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      'Basic realm="management", charset="UTF-8"',
    ])
    expect((await get('profile', basic('old'))).status).toBe(401)
    expect((await get('profile', { ...basic('new'), Host: 'evil.example' })).status).toBe(421)
    expect((await get('profile', { ...basic('new'), 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await get('profile?seconds=x', basic('new'))).status).toBe(400)
    expect((await get('other', basic('new'))).status).toBe(404)
    expect((await get('health/liveness')).status).toBe(200)
  })

  it.each([[''], ['two words'], [[]]])('rejects the token %j', async (token) => {
    await expect(start({ token })).rejects.toThrow(
      'watchdog: token: expected visible ASCII characters without white space',
    )
  })
})
