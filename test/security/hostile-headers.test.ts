import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basicAuth, createManagement, traceHeaders } from 'upkeep'
import { handleErrors, manage, observe } from 'upkeep/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cpuTimeUntil } from '../support/growth/cpu-time.ts'

/** Nearly all that node:http takes: 16 KB of header. */
const length = 15_000

let server: Server
let origin: string

beforeAll(async () => {
  const management = createManagement({
    application: { name: 'orders' },
    tracing: true,
    expose: ['health', 'info', 'metrics', 'prometheus'],
    authorize: basicAuth({ username: 'operator', password: 'secret' }),
    access: { metrics: 'authorized' },
    report: () => {},
  })
  const [observed, managed] = [observe(management), manage(management)]
  const application = handleErrors((_, res) => {
    // As a request to another service does, reads the whole trace context.
    res.end(JSON.stringify(traceHeaders()))
  })
  server = createServer((req, res) => {
    observed(req, res, () => managed(req, res, () => application(req, res)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

function get(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    request(origin + path, { headers }, (response) => {
      if (response.statusCode === 431) reject(new Error('the header is longer than node:http takes'))
      response.resume()
      response.on('end', () => resolve())
    })
      .on('error', reject)
      .end()
  })
}

/** The least CPU time of some requests: what else the process does makes a request more costly, never less. */
async function leastOf(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < 10; count++) times.push(await cpuTimeUntil(() => get(path, headers)))
  return Math.min(...times)
}

/** How many times the CPU time of a request that is as long, of which nobody reads what is long, a hostile one takes. */
async function costOf(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const ignored = '-'.repeat(length)
  const isInTarget = path.length > length
  const ordinary = isInTarget
    ? await leastOf(`/management/health?ignored=${ignored}`, {})
    : await leastOf(path, { traceparent, 'x-ignored': ignored })
  return (await leastOf(path, headers)) / ordinary
}

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const fill = (piece: string) => piece.repeat(length / piece.length)

describe('a request with 15 KB of hostile header', () => {
  it.each<readonly [string, string, Readonly<Record<string, string>>]>([
    ['tracestate of spaces', '/', { traceparent, tracestate: `a=1,${' '.repeat(length)}!` }],
    ['tracestate of spaces in a value', '/', { traceparent, tracestate: `a=1${' '.repeat(length)}=` }],
    ['tracestate of commas', '/', { traceparent, tracestate: fill(',') }],
    ['tracestate of tabs between members', '/', { traceparent, tracestate: fill('a=1,\t\t\t\t') }],
    ['traceparent of digits', '/', { traceparent: fill('0') }],
    ['Accept of many ranges', '/management/health', { accept: fill('a/b,') }],
    ['Accept of many parameters', '/management/prometheus', { accept: `text/plain${fill(';a="b"')}` }],
    ['Accept of quotes', '/management/prometheus', { accept: `text/plain;a=${fill('"')}` }],
    ['Accept of backslashes', '/management/prometheus', { accept: `text/plain;a="${fill('\\')}` }],
    ['Accept at an unknown address', '/unknown', { accept: fill('a/b,') }],
    ['Accept-Encoding of many codings', '/management/prometheus', { 'accept-encoding': fill('br,') }],
    ['If-None-Match of many tags', '/management/info', { 'if-none-match': fill('"a",') }],
    ['If-None-Match of quotes', '/management/info', { 'if-none-match': fill('"') }],
    ['If-Modified-Since of digits', '/management/info', { 'if-modified-since': `Fri, ${fill('1')}` }],
    ['Authorization of spaces', '/management/metrics', { authorization: `Basic${fill(' ')}!` }],
    ['Authorization of base64', '/management/metrics', { authorization: `Basic ${fill('QUFB')}=` }],
    ['X-Request-Id', '/unknown', { 'x-request-id': fill('a') }],
    ['Host', '/management', { host: fill('a.') }],
    ['fields of many names', `/management/health?fields=${fill('a,')}`, {}],
    ['fields of parentheses', `/management/health?fields=${fill('a(')}`, {}],
    ['accept in the query', `/management/health?accept=${fill('a+b,')}`, {}],
    ['percent signs in the path', `/management/${fill('%25')}`, {}],
    ['tag in the query', `/management/metrics/process.uptime?tag=${fill('a:b')}`, {}],
  ])('takes no more CPU time than a few ordinary ones: %s', async (_, path, headers) => {
    expect(await costOf(path, headers)).toBeLessThan(8)
  })
})
