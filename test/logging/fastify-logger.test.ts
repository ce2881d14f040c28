import fastify from 'fastify'
import { pino } from 'pino'
import { createManagement } from 'upkeep'
import { observe } from 'upkeep/fastify'
import { pinoLoggers, pinoOptions, pinoTraceMixin } from 'upkeep/pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { collectLines } from '../support/lines.ts'

const application = { name: 'orders' }

describe("Fastify's own logger", () => {
  it('has the ids of the trace in the records of a request, and its other fields unchanged', async () => {
    const lines = collectLines()
    const app = fastify({ logger: { mixin: pinoTraceMixin, stream: lines } })
    const management = createManagement({
      ...{ tracing: true, metrics: { runtime: false }, expose: ['health', 'loggers'] },
      loggers: pinoLoggers(app.log),
    })
    onTestFinished(() => management.close())
    app.register(observe(management))
    app.get('/orders/:id', async (request) => {
      request.log.info({ rows: 3 }, 'read')
      return {}
    })
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
    expect((await app.inject({ url: '/orders/7', headers })).statusCode).toBe(200)
    await app.close()

    expect(lines.records().find(({ msg }) => msg === 'read')).toEqual({
      ...{ level: 30, time: expect.any(Number), pid: process.pid, hostname: expect.any(String), msg: 'read' },
      ...{ reqId: 'req-1', rows: 3, trace_id: traceId, span_id: expect.stringMatching(/^[\da-f]{16}$/) },
      trace_flags: '01',
    })
    expect(lines.records().find(({ msg }) => msg === 'incoming request')).toMatchObject({
      req: { method: 'GET', url: '/orders/7' },
    })
  })

  it('changes its level at run time, and that of the requests', async () => {
    const lines = collectLines()
    const app = fastify({ logger: { ...pinoOptions({ application }), stream: lines } })
    app.get('/', async (request) => {
      request.log.debug('looked up')
      return {}
    })
    const loggers = pinoLoggers(app.log)
    await app.inject('/')
    loggers.configure('ROOT', 'DEBUG')
    await app.inject('/')
    await app.close()
    const found = lines.records().filter(({ message }) => message === 'looked up')
    expect(found.map(({ level }) => level)).toEqual(['DEBUG'])
  })

  it('may be a logger of pino', async () => {
    const lines = collectLines()
    const app = fastify({ loggerInstance: pino(pinoOptions({ application }), lines) })
    app.log.info('placed')
    expect(pinoLoggers(app.log).level('ROOT')).toEqual({ configuredLevel: 'INFO', effectiveLevel: 'INFO' })
    expect(lines.last()).toMatchObject({ message: 'placed', 'service.name': 'orders' })
    await app.close()
  })
})

it.each([
  ['the logger of a Fastify that does not log', () => fastify({ logger: false }).log],
  ['another object', () => ({ level: 'info', child: () => ({}) })],
])('pinoLoggers rejects %s', (_, create) => {
  expect(() => pinoLoggers(create())).toThrow(
    new TypeError('pinoLoggers: expected a logger of pino, received an object'),
  )
})
