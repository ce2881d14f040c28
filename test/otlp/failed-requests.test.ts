import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { HttpError, traced } from 'upkeep'
import { describe, expect, it } from 'vitest'
import { type Exported, type OpenRequest, startExportingService } from '../support/otlp/failed-requests.ts'
import { exporters } from '../support/otlp/telemetry.ts'

const keepFailedRequests = { slowerThan: '2s' } as const

const marks = ({ spans, records }: Exported) => ({
  spans: spans.map(({ name, kept }) => [name, kept]),
  records: records.map(({ name, kept }) => [name, kept]),
})

/** A caller with a sampling decision. */
const caller = (isSampled: boolean) => ({
  traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-0${isSampled ? 1 : 0}`,
})

const kilobytes = (count: number) => 'x'.repeat(count * 1024)

describe.each(exporters)('with the exporter %s, a request that is not sampled', (exporter) => {
  const start = (options = {}) => startExportingService({ exporter, keepFailedRequests, ...options })

  it.each<[ends: string, end: (request: OpenRequest) => Promise<void>, seconds: number, reason: string]>([
    ['responds with 500', (request) => request.respond(500), 0, 'failed'],
    ['responds with 503', (request) => request.respond(503), 0, 'failed'],
    ['throws', (request) => request.throw(new Error('refused')), 0, 'failed'],
    ['throws an error of 5xx', (request) => request.throw(new HttpError(502, 'Bad gateway.')), 0, 'failed'],
    ['is aborted by the client', (request) => request.abort(), 0, 'aborted'],
    ['is slow', (request) => request.respond(), 2, 'slow'],
    ['is slow and fails', (request) => request.respond(500), 3, 'failed'],
  ])('and %s is exported, with its spans and log records', async (_, end, seconds, reason) => {
    const { request, exported, clock, counted } = await start()
    const one = request()
    one.work('query')
    clock.advance(seconds * 1_000)
    await end(one)
    const sent = await exported()
    expect(marks(sent)).toEqual({
      spans: [
        ['query', reason],
        ['GET /orders', reason],
      ],
      records: [['in query', reason]],
    })
    const [query, server] = sent.spans
    expect(new Set([...sent.spans, ...sent.records].map(({ traceId }) => traceId)).size).toBe(1)
    expect([query?.isSampled, server?.isSampled, sent.records[0]?.isSampled]).toEqual([true, true, true])
    expect(counted('otlp.held.exported')).toEqual({ [`${reason} logs`]: 1, [`${reason} traces`]: 2 })
    expect(counted('otlp.held.size')).toEqual({ '': 0 })
  })

  it.each<[ends: string, end: (request: OpenRequest) => Promise<void>, seconds: number]>([
    ['responds with 200', (request) => request.respond(200), 0],
    ['responds with 404', (request) => request.respond(404), 0],
    ['throws an error of 4xx', (request) => request.throw(new HttpError(422, 'Unknown item.')), 0],
    ['is almost slow', (request) => request.respond(), 1.999],
  ])('and %s is dropped', async (_, end, seconds) => {
    const { request, exported, clock, counted } = await start()
    const one = request()
    one.work('query')
    expect(counted('otlp.held.size')['']).toBeGreaterThan(0)
    clock.advance(seconds * 1_000)
    await end(one)
    expect(await exported()).toEqual({ spans: [], records: [] })
    expect(counted('otlp.held.size')).toEqual({ '': 0 })
    expect(counted('otlp.held.dropped')).toEqual({})
  })

  it('has the spans of work that goes on below a span that has ended', async () => {
    const { request, exported } = await start()
    const one = request()
    const within = one.within(() => traced('query', () => AsyncLocalStorage.snapshot()))
    within(() => traced('rows', () => {}))
    await one.respond(500)
    const { spans } = await exported()
    expect(spans.map(({ name }) => name)).toEqual(['query', 'rows', 'GET /orders'])
  })

  it('has the decision of its caller, in the span and for those it calls', async () => {
    const { request, exported } = await start({ tracing: { probability: 1 } })
    const headers = caller(false)
    const one = request(headers)
    const sentOn = one.within(() => traced('call', (span) => span?.context))
    await one.respond(500)
    const { spans } = await exported()
    expect(sentOn).toMatchObject({ traceId: headers.traceparent.slice(3, 35), flags: 0 })
    expect(spans.map(({ traceId, kept }) => [traceId, kept])).toEqual([
      [sentOn?.traceId, 'failed'],
      [sentOn?.traceId, 'failed'],
    ])
  })

  it('has records at the exported level without a mark, whatever becomes of it', async () => {
    const { request, exported, logger } = await start()
    const one = request()
    one.within(() => logger.info('received'))
    await one.respond()
    expect(marks(await exported())).toEqual({ spans: [], records: [['received', undefined]] })
  })

  it('and is sampled has its spans without a mark, and its records below the level with one', async () => {
    const { request, exported } = await start()
    const [failing, ordinary] = [request(caller(true)), request(caller(true))]
    failing.work('failing query')
    ordinary.work('query')
    await failing.respond(500)
    await ordinary.respond()
    const { spans, records } = marks(await exported())
    expect(spans).toEqual([
      ['failing query', undefined],
      ['query', undefined],
      ['GET /orders', undefined],
      ['GET /orders', undefined],
    ])
    expect(records).toEqual([['in failing query', 'failed']])
  })

  it('exports work that it has left behind, up to the limit of a request', async () => {
    const { request, exported, counted } = await start()
    const one = request()
    const ordinary = request()
    await one.respond(500)
    await ordinary.respond()
    for (let at = 0; at < 100; at += 1) {
      one.work('rest', { text: kilobytes(10) })
      ordinary.work('rest')
    }
    const { spans } = await exported()
    expect(spans.filter(({ name }) => name === 'rest')).toHaveLength(5)
    expect(counted('otlp.held.dropped')).toEqual({ 'request traces': 1 })
  })

  it('is not exported, and nothing of it is held, without the option', async () => {
    const { request, exported, management, logger } = await start({ keepFailedRequests: undefined })
    const one = request()
    const isRecording = one.within(() =>
      traced('query', (span) => {
        logger.debug('in query')
        return span?.isRecording
      }),
    )
    await one.respond(500)
    expect(isRecording).toBe(false)
    expect(await exported()).toEqual({ spans: [], records: [] })
    expect([...management.meters.snapshot()].filter(({ id }) => id.name.startsWith('otlp.held'))).toEqual([])
  })

  it('excludes requests to the management', async () => {
    const { management, exported } = await start()
    const message = new Request('http://127.0.0.1/management/health')
    await management.observation.beginFetch(
      message,
      message,
      () => undefined,
      async () => {
        management.observation.excludeFromObservation(message)
        return new Response(null, { status: 503 })
      },
    )
    expect(await exported()).toEqual({ spans: [], records: [] })
  })
})

describe('memory of held requests', () => {
  it('is at most 64 KB of a request: the oldest items are dropped and counted', async () => {
    const { request, exported, counted } = await startExportingService({ keepFailedRequests })
    const one = request()
    for (let at = 0; at < 20; at += 1) one.work(`query ${at}`, { text: kilobytes(5) })
    expect(counted('otlp.held.size')['']).toBeLessThanOrEqual(64 * 1024)
    await one.respond(500)
    const { spans } = await exported()
    const queries = spans.slice(0, -1).map(({ name }) => name)
    expect(queries.length).toBeGreaterThan(8)
    expect(queries).toEqual(Array.from({ length: queries.length }, (_, at) => `query ${20 - queries.length + at}`))
    expect(counted('otlp.held.dropped')['request traces']).toBe(20 - queries.length)
  })

  it('is at most 64 KB of an item', async () => {
    const { request, exported, counted, logger } = await startExportingService({ keepFailedRequests })
    const one = request()
    one.work('small')
    one.within(() => logger.debug(kilobytes(65)))
    one.within(() => logger.debug('ü'.repeat(33 * 1024)))
    await one.respond(500)
    expect(marks(await exported()).records).toEqual([['in small', 'failed']])
    expect(counted('otlp.held.dropped')).toEqual({ 'request logs': 2 })
  })

  it('is at most 16 MB of 10,000 requests: the oldest ones are dropped and counted', async () => {
    const { request, exported, counted, logger } = await startExportingService({ keepFailedRequests })
    const text = kilobytes(3)
    const sizes: (number | undefined)[] = []
    const requests = Array.from({ length: 10_000 }, (_, at) => {
      const one = request()
      one.within(() => logger.debug(`received ${at}`, { text }))
      if (at % 1_000 === 999) sizes.push(counted('otlp.held.size')[''])
      return one
    })
    expect(Math.max(...sizes.map(Number))).toBeLessThanOrEqual(16 * 1024 * 1024)
    expect(sizes.at(-1)).toBeGreaterThan(15 * 1024 * 1024)
    const dropped = counted('otlp.held.dropped')['process logs'] ?? Number.NaN
    expect(dropped).toBeGreaterThan(4_000)
    const failing = new Set([0, 1, dropped - 1, dropped, 9_999])
    await Promise.all(requests.map((one, at) => one.respond(failing.has(at) ? 500 : 200)))
    const { spans, records } = await exported()
    expect(spans).toHaveLength(failing.size)
    expect(records.map(({ name }) => name)).toEqual([`received ${dropped}`, 'received 9999'])
    expect(counted('otlp.held.dropped')).toEqual({ 'process logs': dropped })
    expect(counted('otlp.held.size')).toEqual({ '': 0 })
  })

  it('is released by a request that never ends, as new ones need it', async () => {
    const { request, exported, counted } = await startExportingService({ keepFailedRequests })
    const endless = request()
    endless.work('first', { text: kilobytes(10) })
    for (let at = 0; at < 400; at += 1) {
      const other = request()
      other.work('other', { text: kilobytes(50) })
    }
    endless.work('last')
    expect(counted('otlp.held.size')['']).toBeLessThanOrEqual(16 * 1024 * 1024)
    await endless.abort()
    expect(marks(await exported()).spans).toEqual([
      ['last', 'aborted'],
      ['GET /orders', 'aborted'],
    ])
  })
})

describe('the option keepFailedRequests', () => {
  it('considers requests slow from one second on, by default', async () => {
    const { request, exported, clock } = await startExportingService({ keepFailedRequests: true })
    const [quick, slow] = [request(), request()]
    clock.advance(999)
    await quick.respond()
    clock.advance(1)
    await slow.respond()
    expect(marks(await exported()).spans).toEqual([['GET /orders', 'slow']])
  })

  it.each([
    [{ keepFailedRequests: 'yes' }, 'keepFailedRequests: expected true, false or { slowerThan }, received "yes"'],
    [{ keepFailedRequests: { slowerThan: 5 } }, 'keepFailedRequests.slowerThan: expected a duration such as "5s"'],
    [{ keepFailedRequests: { slower: '5s' } }, 'unknown option "keepFailedRequests.slower"'],
  ])('rejects %j', async (options, message) => {
    await expect(startExportingService(options as never)).rejects.toThrow(message)
  })

  it('is reported while upkeep does not export traces', async () => {
    const { reported } = await startExportingService({ keepFailedRequests: true, tracing: false })
    expect(reported).toEqual([
      'otlp: keepFailedRequests has no effect, because upkeep does not export the traces of this process',
    ])
  })

  it('requires a sampler that follows the caller with exporter: "opentelemetry"', async () => {
    process.env['OTEL_TRACES_SAMPLER'] = 'traceidratio'
    try {
      const options = { keepFailedRequests: true, exporter: 'opentelemetry', tracing: {} } as const
      await expect(startExportingService(options)).rejects.toThrow(
        'startTelemetry: keepFailedRequests: expected an OTEL_TRACES_SAMPLER with the prefix "parentbased_"',
      )
    } finally {
      delete process.env['OTEL_TRACES_SAMPLER']
    }
  })
})
