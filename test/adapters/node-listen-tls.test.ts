import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type RequestOptions, request } from 'node:https'
import { connect as connectTcp, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { createManagement, type ManagementOptions } from 'upkeep'
import { clientCertificate, type Listening, type ListenOptions, listen } from 'upkeep/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { cert, key, otherCert, otherKey } from '../support/localhost-certificate.ts'

const open: Listening[] = []
let folder: string
const path = (name: string) => join(folder, name)
const write = (name: string, text: string) => writeFileSync(path(name), text)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'upkeep-tls-'))
  write('tls.crt', cert)
  write('tls.key', key)
  write('ca.crt', otherCert)
})

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(open.splice(0).map((each) => each.close()))
  rmSync(folder, { recursive: true })
})

async function start(options: Partial<ListenOptions> = {}, management: ManagementOptions = {}) {
  const reports: string[] = []
  const reported = new EventTarget()
  const listening = await listen(
    createManagement({
      ...management,
      report: (message) => {
        reports.push(message)
        reported.dispatchEvent(new Event('report'))
      },
    }),
    { port: 0, tls: { certFile: path('tls.crt'), keyFile: path('tls.key') }, ...options },
  )
  open.push(listening)
  const { port } = listening.address
  return {
    ...listening,
    port,
    reports,
    nextReport: () => new Promise((resolve) => reported.addEventListener('report', resolve, { once: true })),
    send: (target: string, client: RequestOptions = {}) => send(port, target, client),
  }
}

/** The status, and the common name of the certificate of the server. */
async function send(
  port: number,
  target: string,
  client: RequestOptions,
  body = '',
): Promise<readonly [number, unknown]> {
  const options = {
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    path: target,
    ca: [cert, otherCert],
    agent: false,
  }
  const sent = request({ ...options, headers: { host: 'localhost' }, ...client }).end(body)
  const [response] = await once(sent, 'response')
  const { subject } = (response.socket as TLSSocket).getPeerCertificate()
  response.resume()
  await once(response, 'close')
  return [response.statusCode, subject.CN]
}

describe('listen with tls', () => {
  it('serves HTTPS', async () => {
    const { send } = await start()
    expect(await send('/management/health')).toEqual([200, 'localhost'])
  })

  it('closes without pending responses', async () => {
    const { send, close, server } = await start()
    await send('/management/health')
    await close()
    expect(server.listening).toBe(false)
  })

  it.each([
    [{ certFile: 'missing.crt' }, /^listen: tls: certFile: expected a file that can be read: ENOENT/],
    [{ keyFile: 'tls.crt' }, /^listen: tls: expected a certificate and its key in PEM format: /],
    [{ keyFile: undefined }, /^listen: tls: keyFile: expected the path of a file in PEM format$/],
  ])('rejects %j', async (files, message) => {
    const paths = Object.entries(files).map(([name, file]) => [name, file && path(file)])
    const tls = { certFile: path('tls.crt'), keyFile: path('tls.key'), ...Object.fromEntries(paths) }
    await expect(start({ tls })).rejects.toThrow(message)
  })

  it('names the option of what others call it', async () => {
    const tls = { cert: 'a', key: 'b' } as never
    await expect(start({ tls })).rejects.toThrow(
      'listen: tls: unknown option "cert"; did you mean "certFile"?; unknown option "key"; did you mean "keyFile"?',
    )
  })

  it('serves new connections with a certificate that was renewed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { send, reports, nextReport } = await start()
    expect(await send('/management/health')).toEqual([200, 'localhost'])

    write('tls.crt', otherCert)
    const refused = nextReport()
    vi.advanceTimersByTime(10_000)
    await refused
    expect(reports).toEqual(['the certificate of the management cannot be read again'])
    expect(await send('/management/health')).toEqual([200, 'localhost'])

    write('tls.key', otherKey)
    const renewed = nextReport()
    await eventually(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
    vi.advanceTimersByTime(10_000)
    await renewed
    expect(reports.slice(1)).toEqual(['the certificate of the management was read again'])
    expect(await send('/management/health')).toEqual([200, 'prometheus'])
  })

  it('does not read files after it is closed, nor if it could not listen', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { close, port } = await start()
    await expect(start({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends a handshake that takes longer than headersTimeout, and what is no handshake', async () => {
    const { port, server } = await start({ headersTimeout: '100ms' })
    const silent = connectTcp(port, '127.0.0.1')
    const plain = connectTcp(port, '127.0.0.1', () => plain.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'))
    await Promise.all([silent, plain].map(ended))
    expect(await new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0)
  })
})

describe('a client certificate', () => {
  const mutual = () => ({ certFile: path('tls.crt'), keyFile: path('tls.key'), clientCaFile: path('ca.crt') })
  const management: ManagementOptions = { expose: ['health', 'env'], authorize: clientCertificate() }

  it('of a trusted authority is required by clientCaFile, and names the principal', async () => {
    const { send } = await start({ tls: mutual() }, management)
    expect(await send('/management/env', { cert: otherCert, key: otherKey })).toEqual([200, 'localhost'])
    await expect(send('/management/health')).rejects.toThrow()
    await expect(send('/management/health', { cert, key })).rejects.toThrow()
  })

  it('is not asked for without clientCaFile: the caller is unknown', async () => {
    const { send } = await start({}, management)
    expect(await send('/management/env', { cert: otherCert, key: otherKey })).toEqual([401, 'localhost'])
  })

  it('names who changed something, in a file', async () => {
    const file = path('audit.log')
    const { port } = await start(
      { tls: mutual() },
      { ...management, expose: ['tracing'], tracing: true, audit: { file } },
    )
    const body = JSON.stringify({ probability: 1 })
    const headers = { host: 'localhost', 'content-type': 'application/json', 'content-length': body.length }
    const client = { method: 'POST', headers, cert: otherCert, key: otherKey }
    expect(await send(port, '/management/tracing', client, body)).toEqual([204, 'localhost'])

    const event = { principal: 'prometheus', type: 'change', endpoint: 'tracing', method: 'POST', path: 'tracing' }
    await eventually(() =>
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ ...event, outcome: 'success' }),
    )
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

/** Resolves when the other side has closed a connection, also by a reset. */
function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('error', () => {})
    socket.resume().once('close', () => resolve())
  })
}
