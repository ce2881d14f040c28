import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { deferred } from '../support/deferred.ts'
import { eventually } from '../support/eventually.ts'
import { listenOn } from '../support/listen.ts'
import { cert, key } from '../support/localhost-certificate.ts'
import { useTelemetry } from '../support/otlp/telemetry.ts'

const start = useTelemetry('upkeep')

interface Proxied {
  readonly target: string
  readonly credentials: string | undefined
}

function proxied({ method, url = '', headers }: IncomingMessage): Proxied {
  return { target: `${method} ${url}`, credentials: headers['proxy-authorization'] }
}

/** Starts a proxy that forwards HTTP requests and tunnels, or refuses all. */
async function startProxy(refusal?: number): Promise<{ readonly port: number; readonly requests: readonly Proxied[] }> {
  const requests: Proxied[] = []
  const server = createServer((req, res) => {
    requests.push(proxied(req))
    if (refusal !== undefined) return void res.writeHead(refusal).end()
    const { 'proxy-authorization': _, ...headers } = req.headers
    const passed = request(req.url ?? '', { method: req.method, headers }, (response) => {
      res.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(res)
    })
    req.pipe(passed)
  })
  server.on('connect', (req, socket) => {
    requests.push(proxied(req))
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`)
    const [host, port] = (req.url ?? '').split(':')
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
    target.on('error', () => socket.destroy())
    socket.on('error', () => target.destroy())
    onTestFinished(() => void target.destroy())
  })
  const port = await listenOn(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port, requests }
}

function setVariable(name: string, value: string): void {
  process.env[name] = value
  onTestFinished(() => void delete process.env[name])
}

it('exports to an HTTP receiver go through the proxy of http_proxy, with its credentials', async () => {
  const proxy = await startProxy()
  setVariable('http_proxy', `http://me:secret@127.0.0.1:${proxy.port}`)
  const { receiver, telemetry, trace, count } = await start({ metrics: false })
  trace(2)
  await telemetry.flush()
  expect(receiver.exports.flatMap(({ spans }) => spans)).toHaveLength(2)
  expect(receiver.exports[0]?.headers).toMatchObject({ host: `127.0.0.1:${receiver.port}` })
  expect(receiver.exports[0]?.headers).not.toHaveProperty('proxy-authorization')
  expect(proxy.requests).toEqual([
    { target: `POST ${receiver.url}/v1/traces`, credentials: `Basic ${btoa('me:secret')}` },
  ])
  expect(count('exported', 'traces')).toBe(2)
})

it('exports to an HTTPS receiver are tunnelled by the proxy of https_proxy; its certificate is verified', async () => {
  const proxy = await startProxy()
  const received: string[] = []
  const secure = createSecureServer({ cert, key }, (req, res) => {
    received.push(`${req.method} ${req.url}`)
    req.resume().on('end', () => res.end())
  })
  await new Promise<void>((resolve) => void secure.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    secure.closeAllConnections()
    secure.close()
  })
  const { port } = secure.address() as AddressInfo
  setVariable('https_proxy', `127.0.0.1:${proxy.port}`)
  const options = { metrics: false, url: `https://localhost:${port}`, flushTimeout: '2s' } as const

  const untrusted = await start(options)
  untrusted.trace(1)
  await untrusted.telemetry.flush()
  await untrusted.telemetry.shutdown()
  expect(received).toEqual([])
  expect(untrusted.count('failed', 'traces')).toBe(1)

  const folder = mkdtempSync(join(tmpdir(), 'upkeep-proxy-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'ca.pem'), cert)
  setVariable('OTEL_EXPORTER_OTLP_CERTIFICATE', join(folder, 'ca.pem'))
  const trusted = await start(options)
  trusted.trace(1)
  await trusted.telemetry.flush()
  expect(received).toEqual(['POST /v1/traces'])
  expect(proxy.requests.at(-1)).toEqual({ target: `CONNECT localhost:${port}`, credentials: undefined })
})

it.each(['http', 'https'] as const)(
  'a tunnel through a proxy whose URL begins with %s is requested so',
  async (scheme) => {
    const first = deferred<Buffer>()
    const server = createTcpServer((socket) => {
      socket
        .on('error', () => {})
        .once('data', (data) => {
          first.resolve(data)
          socket.destroy()
        })
    })
    const port = await listenOn(server)
    onTestFinished(() => void server.close())
    setVariable('https_proxy', `${scheme}://127.0.0.1:${port}`)
    const { telemetry, trace } = await start({ metrics: false, url: 'https://localhost:1' })
    trace(1)
    const controller = new AbortController()
    const ended = telemetry.run(controller.signal)
    const data = await first.promise
    const handshake = 0x16
    if (scheme === 'https') expect(data[0]).toBe(handshake)
    else expect(data.toString()).toMatch(/^CONNECT localhost:1 HTTP\/1\.1\r\n/)
    controller.abort()
    await ended
  },
)

it('a proxy that refuses is named in the report', async () => {
  const proxy = await startProxy(407)
  setVariable('https_proxy', `http://127.0.0.1:${proxy.port}`)
  const { telemetry, trace, reported } = await start({ metrics: false, url: 'https://localhost:1', flushTimeout: '2s' })
  trace(1)
  await telemetry.flush()
  expect(reported).toEqual([
    'otlp: failed to export 1 span to https://localhost:1/v1/traces: ' +
      `the proxy http://127.0.0.1:${proxy.port} refused the connection with status 407`,
  ])
})

it('a proxy that does not respond is asked again after the timeout, and shutdown does not wait for it', async () => {
  const targets: string[] = []
  const sockets = new Set<Duplex>()
  const server = createServer()
  server.on('connect', ({ url = '' }, socket) => {
    targets.push(url)
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.resume().on('end', () => socket.end())
  })
  const port = await listenOn(server)
  onTestFinished(() => void server.close())
  setVariable('https_proxy', `http://127.0.0.1:${port}`)
  const { telemetry, trace } = await start({
    metrics: false,
    url: 'https://[::1]:4318',
    timeout: '200ms',
    flushTimeout: '100ms',
  })
  trace(1)
  await telemetry.flush()
  await eventually(() => expect(targets).toHaveLength(2))
  await telemetry.shutdown()
  await eventually(() => expect(sockets.size).toBe(0))
  expect(new Set(targets)).toEqual(new Set(['[::1]:4318']))
})
