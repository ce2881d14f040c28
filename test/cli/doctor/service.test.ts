import { createServer, type RequestListener, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { listen, manage, observe } from '../../../adapters/node.ts'
import { runDoctor } from '../../../src/cli/doctor/doctor-command.ts'
import { tcp } from '../../../src/entries/health.ts'
import { bearerToken, createManagement, type Management, type ManagementOptions } from '../../../src/entries/index.ts'
import { listenOn } from '../../support/listen.ts'

/** How the requests of a service are observed. */
type Observing = 'before the routes' | 'after the routes' | 'not at all'

interface Service {
  readonly url: string
  readonly close: () => void
}

async function start(options: ManagementOptions, observing: Observing, clockOffset = 0): Promise<Service> {
  const management: Management = createManagement(options)
  const [managed, observed] = [manage(management), observe(management)]
  const server: Server = createServer((req, res) => {
    res.setHeader('Date', new Date(Date.now() + clockOffset).toUTCString())
    const route = (next: () => void) => (req.url === '/orders' ? void res.end('[]') : next())
    const unknown = () => void res.writeHead(404).end()
    if (observing === 'before the routes') {
      observed(req, res, () => managed(req, res, () => route(unknown)))
    } else {
      const after = observing === 'after the routes' ? () => observed(req, res, unknown) : unknown
      managed(req, res, () => route(after))
    }
  })
  const port = await listenOn(server)
  const close = () => {
    server.close()
    server.closeAllConnections()
    management.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

async function doctor(...words: readonly string[]) {
  let [out, err] = ['', '']
  const output = {
    write: (text: string) => (out += text),
    writeError: (text: string) => (err += text),
    isTerminal: false,
  }
  const code = await runDoctor(words, {}, output)
  const lines = out.split('\n')
  const outcome = (check: string) => lines.find((line) => line.slice(2).startsWith(`${check}:`))
  return { code, out, err, outcome }
}

async function respond(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${await listenOn(server)}`
}

const token = 'doctor-token'
const authorize = bearerToken(token)
let faulty: Service
let sound: Service
beforeAll(async () => {
  faulty = await start(
    {
      expose: ['health', 'info', 'prometheus'],
      authorize,
      health: {
        showComponents: 'when-authorized',
        indicators: { store: tcp({ host: '127.0.0.1', port: 9 }), redis: () => 'UP' },
        groups: { liveness: { include: ['livenessState', 'store', 'redis'] } },
      },
    },
    'after the routes',
    -60_000,
  )
  sound = await start(
    {
      expose: ['health', 'prometheus', 'info'],
      access: { '*': 'authorized', health: 'public' },
      paths: { prometheus: '/metrics' },
      authorize,
      health: { groups: { liveness: { include: ['livenessState'], showComponents: 'when-authorized' } } },
    },
    'before the routes',
  )
})
afterAll(() => {
  faulty.close()
  sound.close()
})

describe('upkeep doctor with a URL', () => {
  it('finds each mistake that can be seen over HTTP', async () => {
    const { code, out, outcome } = await doctor(faulty.url, '--token', token, '--route', '/orders', '--memory', '64Mi')
    expect(code).toBe(1)
    expect(outcome('access')).toMatch(/^✗ access: everyone who reaches the service can read info, prometheus$/)
    expect(outcome('order')).toBe('✗ order: a request for /orders is not observed, one for an unknown address is')
    expect(outcome('requests')).toMatch(/^✓/)
    expect(outcome('liveness')).toMatch(/^✗ liveness: liveness contains redis/)
    expect(outcome('heap')).toMatch(/^✗ heap: the heap may grow to \d+ MiB in 64 MiB/)
    expect(outcome('clock')).toMatch(
      /^✗ clock: the clock of the server is (5[89]|6[01]) s behind that of this machine$/,
    )
    expect(out).toContain('    NODE_OPTIONS=--max-old-space-size=48\n')
  })

  it('finds nothing in a sound service, lists what cannot be seen over HTTP, and exits with 0', async () => {
    const { code, out } = await doctor(sound.url, '--token', token, '--route', '/orders', '--memory', '64Gi')
    expect(out).not.toContain('✗')
    expect(code).toBe(0)
    expect(out.match(/^[✓-] \w+(?=:)/gm)).toEqual([
      ...['✓ access', '- address', '- copies', '- versions', '✓ requests', '✓ order', '- readiness', '✓ liveness'],
      ...['- drain', '✓ heap', '✓ clock'],
    ])
    expect(out).toMatch(/\n\n0 found, 6 in order, 5 not checked\n$/)
  })

  it('finds a scrape without http.server.requests', async () => {
    const service = await start({ expose: ['health', 'prometheus'] }, 'not at all')
    onTestFinished(service.close)
    const { code, outcome } = await doctor(service.url, '--route', '/orders', '--public', 'prometheus')
    expect([code, outcome('access')?.[0]]).toEqual([1, '✓'])
    expect(outcome('requests')).toBe('✗ requests: the metrics have no http.server.requests')
    expect(outcome('order')).toBe('- order: not checked: no request is observed')
  })

  it('reports what it may not read as not checked', async () => {
    const { code, outcome } = await doctor(sound.url)
    expect(code).toBe(0)
    for (const check of ['requests', 'order', 'heap']) {
      expect(outcome(check)).toMatch(/not checked: the scrape responds with 404: expose prometheus, and pass --token/)
    }
    expect(outcome('liveness')).toMatch(/not checked: its components are not shown: pass --token/)
  })

  it('reports a check of the application in liveness as not checked', async () => {
    const health = {
      showComponents: 'always',
      groups: { liveness: { include: ['*'] } },
      indicators: { queue: () => 'UP' },
    }
    const service = await start({ health } as ManagementOptions, 'before the routes')
    onTestFinished(service.close)
    const { outcome } = await doctor(service.url)
    expect(outcome('liveness')).toMatch(/not checked: what queue does is not known/)
  })

  it('finds a component of liveness inside another one, and prints no control characters', async () => {
    const components = { stores: { components: { 'redis\u001b[2J': { status: 'UP' } } }, other: null }
    const url = await respond((req, res) => {
      res.setHeader('Content-Type', 'application/json')
      if (!req.url?.startsWith('/management/health')) return void res.writeHead(404).end()
      res.end(JSON.stringify({ status: 'UP', components }))
    })
    const { outcome } = await doctor(url)
    expect(outcome('liveness')).toMatch(/^✗ liveness: liveness contains stores\/redis\ufffd\[2J, /)
  })

  it('takes no page that is served for any address for an endpoint', async () => {
    const management = createManagement()
    onTestFinished(() => management.close())
    const managed = manage(management)
    const url = await respond((req, res) =>
      managed(req, res, () => res.setHeader('Content-Type', 'text/html; charset=utf-8').end('<h1>Orders</h1>')),
    )
    expect((await doctor(url)).outcome('access')?.[0]).toBe('✓')
  })

  it('reports as not checked whether a port of the management only observes requests', async () => {
    const management = createManagement({ expose: ['health', 'prometheus'] })
    const { address, close } = await listen(management, { port: 0 })
    onTestFinished(close)
    const url = `http://127.0.0.1:${address.port}`
    const { outcome } = await doctor(url, '--public', 'prometheus')
    expect(outcome('requests')).toMatch(/not checked: no request was observed yet, and this may be a port of the man/)
    const { outcome: withRoute } = await doctor(url, '--public', 'prometheus', '--route', '/orders')
    expect(withRoute('requests')).toMatch(/not checked: \/orders responds with 404: pass a path that exists/)
  })

  it('reports as not checked what does not respond in time', async () => {
    const limits: AbortController[] = []
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const limit = new AbortController()
      limits.push(limit)
      return limit.signal
    })
    onTestFinished(() => void vi.restoreAllMocks())
    // The limit of a request ends when it has arrived.
    const url = await respond((req, res) => {
      if (req.url === '/management/health') res.end('{"status":"UP"}')
      else for (const limit of limits) limit.abort()
    })
    const { code, outcome } = await doctor(url, '--timeout', '100ms')
    expect(code).toBe(0)
    for (const check of ['access', 'liveness', 'requests', 'order', 'heap']) {
      expect(outcome(check)).toMatch(/not checked: no response within 100 ms$/)
    }
  })

  it('reports as not checked whether a service that receives other requests observes a route', async () => {
    const url = await respond((req, res) => {
      if (req.url !== '/management/prometheus') return void res.end('{"status":"UP"}')
      scrapes += 1
      res.setHeader('Content-Type', 'text/plain').end(`http_server_requests_seconds_count{uri="/"} ${scrapes}\n`)
    })
    let scrapes = 0
    const { outcome } = await doctor(url, '--route', '/orders')
    expect(outcome('order')).toBe('- order: not checked: other requests are counted at the same time')
  })

  it('takes the name and password in a URL, and never prints them', async () => {
    const received: (string | undefined)[] = []
    const url = await respond((req, res) => {
      received.push(req.headers.authorization)
      res.writeHead(401).end()
    })
    const { code, err } = await doctor(`${url.replace('//', '//ann:pass%20word@')}?x=1#y`)
    expect([code, err]).toEqual([2, `upkeep doctor: ${url}/management/health responds with 401: pass --token\n`])
    expect(received).toEqual([`Basic ${btoa('ann:pass word')}`])
  })

  it.each<readonly [string, RequestListener, RegExp]>([
    ['does not respond', () => {}, /cannot be reached: no response within 200 ms$/],
    ['never ends its response', (_, res) => void res.write('{'), /cannot be reached: no response within 200 ms$/],
    [
      'redirects',
      (_, res) => void res.writeHead(301, { Location: 'https://a/' }).end(),
      /redirects to https:\/\/a\/: pass /,
    ],
    [
      'responds with a page',
      (_, res) => void res.end('<html>'),
      /responds with something other than a health report: /,
    ],
    ['does not speak HTTP', (req) => void req.socket.end('220 mail\r\n'), /cannot be reached: Parse Error: /],
  ])('exits with 2 for a server that %s', async (_, listener, message) => {
    // Only for those who never respond: others may take their time.
    const limit = message.source.includes('no response') ? ['--timeout', '200ms'] : []
    const { code, out, err } = await doctor(await respond(listener), ...limit)
    expect([code, out]).toEqual([2, ''])
    expect(err.trimEnd()).toMatch(message)
  })

  it.each([
    ['http://127.0.0.1:2', /127\.0\.0\.1:2\/management\/health cannot be reached: .*ECONNREFUSED/],
    ['wrong path', /\/elsewhere\/health responds with 404: pass the path of the endpoints with --base-path/],
  ])('exits with 2 if nothing can be checked: %s', async (url, message) => {
    const { code, out, err } = await doctor(
      ...(url === 'wrong path' ? [sound.url, '--base-path', '/elsewhere'] : [url]),
    )
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
  })

  it('lists its options', async () => {
    expect(await doctor('--help')).toMatchObject({ code: 0, out: expect.stringContaining('--grace <duration>') })
  })
})
