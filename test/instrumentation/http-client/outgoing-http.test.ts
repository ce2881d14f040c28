import { once } from 'node:events'
import http, { type IncomingHttpHeaders } from 'node:http'
import { Agent, fetch as fetchOfUndici, request as requestOfUndici } from 'undici'
import { createManagement, type Management } from 'upkeep'
import { parseTraceparent } from 'upkeep/ids'
import { type InstrumentOptions, instrument } from 'upkeep/instrumentation'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { recordSpans } from '../../support/record-spans.ts'
import { requestCounts } from '../../support/request-counts.ts'
import { type HttpServer, startHttp } from '../../support/start-http.ts'

const spans = recordSpans()

let server: HttpServer
const received: IncomingHttpHeaders[] = []
beforeAll(async () => {
  server = await startHttp((request, response) => {
    received.push(request.headersDistinct as IncomingHttpHeaders)
    if (request.url?.startsWith('/cut')) {
      response.writeHead(200, { 'content-length': '100' })
      response.write('a')
      setImmediate(() => response.destroy())
      return
    }
    response.statusCode = Number(/^\/(\d+)/.exec(request.url ?? '')?.[1] ?? 200)
    response.end('answered')
  })
})
afterAll(() => server.dispose())

let management: Management | undefined
function instrumented(options?: InstrumentOptions) {
  const reports: unknown[] = []
  const own = createManagement({ metrics: { runtime: false }, report: (...report) => reports.push(report) })
  management = own
  const stop = instrument(own, options)
  return { management: own, stop, reports, times: () => [...requestCounts(own.meters, 'http.client.requests')] }
}
afterEach(() => {
  management?.close()
  management = undefined
  received.length = 0
})

function byNodeHttp(url: string, options: http.RequestOptions = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, options, (response) => {
      response.on('error', () => {})
      response.resume()
      response.on('close', () => setImmediate(resolve))
    })
    request.on('error', (error) => setImmediate(() => reject(error)))
  })
}
const byFetch = async (url: string): Promise<unknown> => (await fetch(url)).text()
const clients: readonly (readonly [string, (url: string) => Promise<unknown>])[] = [
  ['node:http', byNodeHttp],
  ['fetch', byFetch],
  ['fetch of undici', async (url) => (await fetchOfUndici(url)).text()],
  ['request of undici', async (url) => (await requestOfUndici(url)).body.text()],
]

describe.each(clients)('a request by %s', (_, get) => {
  it('is a child of the active span, and carries its context', async () => {
    instrumented()
    await spans.below('work', () => get(`${server.url}/orders?secret=1&token#x`))

    expect(spans.tree()).toEqual(['internal work', '  client GET'])
    const span = spans.named('GET')
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'server.address': '127.0.0.1',
      'server.port': server.port,
      'url.full': `${server.url}/orders?secret=REDACTED&REDACTED`,
      'http.response.status_code': 200,
    })
    const headers = received[0]?.['traceparent'] as unknown as string[]
    expect(headers).toHaveLength(1)
    expect(parseTraceparent(headers[0])).toMatchObject({
      traceId: span.spanContext().traceId,
      spanId: span.spanContext().spanId,
    })
  })

  it('is timed by the template of its path and by the server', async () => {
    const options = {
      uri: ({ path }: { path: string }) => path.replace(/\d+$/, '{id}'),
      clientName: ({ origin }: { origin: string }) => (origin.endsWith(`:${server.port}`) ? 'stock' : undefined),
    }
    const { management, times } = instrumented({ http: options, undici: options })
    await get(`${server.url}/items/7`)
    await get(`${server.url}/items/8`)

    expect(times()).toEqual([['/items/{id} GET 200 SUCCESS none', 2]])
    const [timer] = [...management.meters.snapshot('http.client.requests')]
    expect(timer?.id.tags).toContainEqual({ key: 'client.name', value: 'stock' })
    expect(spans.all().map((span) => span.name)).toEqual(['GET /items/{id}', 'GET /items/{id}'])
    expect(spans.all()[0]?.attributes['url.template']).toBe('/items/{id}')
  })

  it('is a failed span if the server rejects it', async () => {
    const { times } = instrumented()
    await get(`${server.url}/404`)
    await get(`${server.url}/503`)

    expect(times()).toEqual([
      ['none GET 404 CLIENT_ERROR none', 1],
      ['none GET 503 SERVER_ERROR none', 1],
    ])
    expect(spans.tree()).toEqual(['client GET !', 'client GET !'])
    expect(spans.all().map((span) => span.attributes['error.type'])).toEqual(['404', '503'])
    expect(spans.all().flatMap((span) => span.events)).toEqual([])
  })

  it('is a failed span without a response', async () => {
    const { times } = instrumented()
    const gone = await startHttp(() => {})
    await gone.dispose()
    await expect(get(gone.url)).rejects.toThrow()

    expect(spans.tree()).toEqual(['client GET !'])
    expect(spans.named('GET').attributes['error.type']).toBe('ECONNREFUSED')
    expect(times()).toEqual([['none GET IO_ERROR UNKNOWN Error', 1]])
  })

  it('is a failed span with a status if the response breaks off', async () => {
    const { times } = instrumented()
    await get(`${server.url}/cut`).catch(() => {})

    expect(spans.tree()).toEqual(['client GET !'])
    expect(spans.named('GET').attributes).toMatchObject({ 'http.response.status_code': 200 })
    expect(times()).toHaveLength(1)
  })

  it('is not observed if it exports traces', async () => {
    const { times } = instrumented()
    await spans.suppressed(() => get(server.url))

    expect(spans.all()).toEqual([])
    expect(times()).toEqual([])
    expect(received[0]?.['traceparent']).toBeUndefined()
  })

  it('is one span for two managements, and timed by both', async () => {
    const one = instrumented()
    const other = createManagement({ metrics: { runtime: false } })
    instrument(other)
    await get(server.url)
    other.close()

    expect(spans.tree()).toEqual(['client GET'])
    expect(one.times()).toHaveLength(1)
    expect([...requestCounts(other.meters, 'http.client.requests')]).toHaveLength(1)
    expect(received[0]?.['traceparent']).toHaveLength(1)
  })

  it('keeps a trace context set by the application', async () => {
    instrumented()
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    if (get === byFetch) await (await fetch(server.url, { headers: { traceparent } })).text()
    else await byNodeHttp(server.url, { headers: { traceparent } })

    expect(received[0]?.['traceparent']).toEqual([traceparent])
    expect(spans.all()).toEqual([])
  })

  it('is not observed after the instrumentation is stopped', async () => {
    const { stop, times } = instrumented()
    const before = http.Agent.prototype
    stop()
    stop()
    await get(server.url)

    expect(http.Agent.prototype).toBe(before)
    expect(spans.all()).toEqual([])
    expect(times()).toEqual([])
    expect(received[0]?.['traceparent']).toBeUndefined()
  })

  it('succeeds if an option of the application throws', async () => {
    const uri = () => {
      throw new Error('no template')
    }
    const { reports } = instrumented({ http: { uri }, undici: { uri } })
    await get(server.url)
    await get(server.url)

    expect(received).toHaveLength(2)
    expect(reports).toHaveLength(1)
  })
})

describe('concurrent requests', () => {
  it('are children of the spans that sent them', async () => {
    instrumented()
    const works = Array.from({ length: 40 }, (_, n) =>
      spans.below(`work ${n}`, async () => {
        await null
        await (n % 2 === 0 ? byFetch(`${server.url}/?n`) : byNodeHttp(`${server.url}/?n`))
      }),
    )
    await Promise.all(works)

    expect(spans.tree().toSorted()).toEqual(works.flatMap((_, n) => [`internal work ${n}`, '  client GET']).toSorted())
    const parents = spans
      .all()
      .filter((span) => span.name === 'GET')
      .map((span) => span.parentSpanContext?.spanId)
    expect(new Set(parents).size).toBe(40)
  })
})

describe('a request by node:http', () => {
  it('is a span without propagation if it expects a 100 or has a flat list of headers', async () => {
    const { reports } = instrumented()
    await byNodeHttp(server.url, { headers: ['Host', 'a.example'] as unknown as http.OutgoingHttpHeaders })

    expect(spans.tree()).toEqual(['client GET'])
    expect(reports).toEqual([])
  })

  it('is a span with its own agent, or without one', async () => {
    instrumented()
    await byNodeHttp(server.url, { agent: false })
    const agent = new http.Agent({ keepAlive: true })
    await byNodeHttp(server.url, { agent })
    agent.destroy()

    expect(spans.tree()).toEqual(['client GET', 'client GET'])
    expect(received.every((headers) => headers['traceparent'] !== undefined)).toBe(true)
  })

  it('is drained and ends without a response listener', async () => {
    instrumented()
    const request = http.get(server.url)
    await once(request, 'close')

    expect(spans.named('GET').attributes).toMatchObject({ 'http.response.status_code': 200 })
  })

  it('still ends the process on an unhandled error', async () => {
    instrumented()
    const gone = await startHttp(() => {})
    await gone.dispose()
    const thrown = once(process, 'uncaughtException')
    const own = process.rawListeners('uncaughtException').filter((listener) => !('listener' in listener))
    for (const listener of own) process.off('uncaughtException', listener as () => void)
    http.get(gone.url)
    await thrown
    for (const listener of own) process.on('uncaughtException', listener as () => void)

    expect(spans.tree()).toEqual(['client GET !'])
  })

  it('ends with the change of its protocol', async () => {
    instrumented()
    const upgrading = http.createServer()
    upgrading.on('upgrade', (_, socket) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
    })
    upgrading.listen(0, '127.0.0.1')
    await once(upgrading, 'listening')
    const { port } = upgrading.address() as { port: number }
    const request = http.get({ host: '127.0.0.1', port, headers: { connection: 'Upgrade', upgrade: 'echo' } })
    const closed = once(request, 'close')
    const [, socket] = await once(request, 'upgrade')
    socket.destroy()
    await closed
    upgrading.close()

    expect(spans.named('GET').attributes).toMatchObject({ 'http.response.status_code': 101, 'server.port': port })
  })

  it('of an exporter is recognized by its agent if there is no tracing', async () => {
    const { times } = instrumented()
    await byNodeHttp(server.url, { headers: { 'user-agent': 'OTel-OTLP-Exporter-JavaScript/0.223.0' } })

    expect(times()).toEqual([])
  })

  it('is not patched after the instrumentation is stopped', () => {
    const { addRequest } = http.Agent.prototype as unknown as { addRequest: unknown }
    const { stop } = instrumented()
    stop()
    expect((http.Agent.prototype as unknown as { addRequest: unknown }).addRequest).toBe(addRequest)
  })
})

describe('a request by undici', () => {
  it('is a span with its own agent, another method and a body', async () => {
    instrumented()
    const dispatcher = new Agent()
    const { body } = await requestOfUndici(server.url, { dispatcher, method: 'PROPFIND', body: 'x' })
    await body.dump()
    await dispatcher.close()

    expect(spans.named('HTTP').attributes).toMatchObject({
      'http.request.method': '_OTHER',
      'http.request.method_original': 'PROPFIND',
    })
  })
})

describe('instrument', () => {
  it.each([
    [{ pg: true }, 'instrument: unknown option "pg"; call tracedPool(pool) of upkeep/instrumentation'],
    [{ mysql2: {} }, 'instrument: mysql2: expected true or false'],
    [{ http: 1 }, 'instrument: http: expected true, false or { uri, clientName, timed }'],
    [{ http: { url: 1 } }, 'instrument: unknown option "http.url"; did you mean "http.uri"?'],
    [{ undici: { uri: '/a' } }, 'instrument: undici.uri: expected a function'],
  ])('rejects %j', (options, message) => {
    expect(() => instrumented(options as object)).toThrow(new TypeError(message))
  })

  it('disables libraries one by one', async () => {
    instrumented({ undici: false, http: { timed: false } })
    await byFetch(server.url)
    expect(spans.all()).toEqual([])
    await byNodeHttp(server.url)
    expect(spans.tree()).toEqual(['client GET'])
  })

  it('stops with the management', async () => {
    const { management } = instrumented()
    management.close()
    await byFetch(server.url)
    expect(spans.all()).toEqual([])
  })
})
