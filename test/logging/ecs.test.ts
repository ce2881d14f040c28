import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { hostname } from 'node:os'
import { ecsFormat } from '@elastic/ecs-pino-format'
import { pino } from 'pino'
import { addLogSink, createLogger, type LogEvent } from 'upkeep/logging'
import { pinoLoggers, pinoOptions } from 'upkeep/pino'
import { logRecord, type WinstonInfo } from 'upkeep/winston'
import { describe, expect, it, onTestFinished } from 'vitest'
import winston from 'winston'
import { fixedClock } from '../support/fixed-clock.ts'
import { fieldsOf, inTrace } from '../support/in-trace.ts'
import { collectLines } from '../support/lines.ts'

const application = { name: 'orders', version: '1.2.3', environment: 'production', nodeName: 'orders-1' }
const clock = fixedClock(Date.UTC(2026, 10, 21, 15, 29, 22, 7))

class OutOfStock extends Error {
  readonly code = 'E_STOCK'
}

/** Sends a request, and returns what its handler received, after the response. */
async function exchange(path: string): Promise<{ readonly req: IncomingMessage; readonly res: ServerResponse }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const received = new Promise<{ req: IncomingMessage; res: ServerResponse }>((resolve) => {
    server.on('request', (req, res) => {
      res.setHeader('content-length', 2).writeHead(201).end('{}')
      resolve({ req, res })
    })
  })
  const headers = { 'user-agent': 'test/1', 'x-request-id': 'r-1', authorization: 'Bearer secret' }
  await (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: 'hello' })).text()
  return received
}

type Log = (logger: pino.Logger) => void

/** Writes a record with the official format, and with that of upkeep. */
function writeBoth(log: Log, options: pino.LoggerOptions = {}) {
  const theirs = collectLines()
  const ours = collectLines()
  const { name, version, environment, nodeName } = application
  const service = {
    ...{ serviceName: name, serviceVersion: version, serviceEnvironment: environment, serviceNodeName: nodeName },
    convertReqRes: true,
  }
  log(pino({ ...ecsFormat(service), ...options }, theirs))
  log(pino(pinoOptions({ application, format: 'ecs', clock }, options), ours))
  return { theirs: theirs.last(), ours: ours.last() }
}

describe('a record in the Elastic Common Schema equals that of @elastic/ecs-pino-format', () => {
  const times = { '@timestamp': '2026-11-21T15:29:22.007Z' }
  const added = { 'process.thread.name': 'main' }

  it.each<[string, Log, pino.LoggerOptions]>([
    ['a message', (logger) => logger.info('placed'), {}],
    ['fields', (logger) => logger.warn({ orderId: 7, item: { sku: 'a' } }, 'out of stock'), {}],
    ['a record without a message', (logger) => logger.info({ orderId: 7 }), {}],
    ['a name', (logger) => logger.info('placed'), { name: 'shop' }],
    ['a level of the application', (logger) => Reflect.apply(Reflect.get(logger, 'notice'), logger, ['hm']), notice()],
    ['an error', (logger) => logger.error(new RangeError('refused')), {}],
    ['an error beside a message', (logger) => logger.fatal({ err: new TypeError('bad'), a: 1 }, 'failed'), {}],
    ['an err that is no error', (logger) => logger.error({ err: 'refused' }, 'failed'), {}],
    ['bindings of a child', (logger) => logger.child({ requestId: 1 }).info('placed'), {}],
  ])('for %s', (_, log, options) => {
    const { ours, theirs } = writeBoth(log, options)
    expect(ours).toEqual({ ...withoutLine(theirs, ours), ...times, ...added })
  })

  it('for an error of a class of the application, and adds its code', () => {
    const { ours, theirs } = writeBoth((logger) => logger.error(new OutOfStock('no more')))
    const { error, ...rest } = withoutLine(theirs, ours)
    expect(ours).toEqual({ ...rest, ...times, ...added, error: { ...(error as object), code: 'E_STOCK' } })
    expect(ours['error']).toMatchObject({ type: 'OutOfStock', message: 'no more' })
  })

  it('for a request and a response, without their header fields and the query', async () => {
    const { req, res } = await exchange('/orders/7?token=secret#top')
    const { ours, theirs } = writeBoth((logger) => logger.info({ req, res }, 'done'))
    const { http, url } = theirs as { readonly http: Readonly<Record<string, object>>; readonly url: object }
    const { headers: _sent, ...request } = http['request'] as { headers: object }
    const { headers: _returned, ...response } = http['response'] as { headers: object }
    const full = `http://${req.headers.host}/orders/7`
    expect(ours).toEqual({
      ...theirs,
      ...times,
      ...added,
      http: { ...http, request, response },
      url: { path: '/orders/7', full },
    })
    expect(url).toMatchObject({ path: '/orders/7', query: 'token=secret' })
    expect(ours['http']).toMatchObject({
      request: { id: 'r-1', body: { bytes: 5 } },
      response: { status_code: 201, body: { bytes: 2 } },
    })
    expect(JSON.stringify(ours)).not.toContain('secret')
  })

  it('and retains a req and a res that are no messages, which the other drops', () => {
    const { ours, theirs } = writeBoth((logger) => logger.info({ req: { a: 1 }, res: 5 }, 'hm'))
    expect(ours).toEqual({ ...theirs, ...times, ...added, req: { a: 1 }, res: 5 })
  })

  it('for a request of Fastify or Express, with the address behind a proxy and the original path', async () => {
    const { req } = await exchange('/orders/7')
    const behind = Object.assign(Object.create(req), { ip: '192.0.2.1', originalUrl: '/shop/orders/7' })
    const { ours, theirs } = writeBoth((logger) => logger.info({ req: behind }, 'done'))
    expect([ours['client'], ours['url']]).toEqual([theirs['client'], theirs['url']])
  })

  it('for the ids of a trace', () => {
    const ours = collectLines()
    const theirs = collectLines()
    inTrace((span) => {
      pino(pinoOptions({ application, format: 'ecs' }), ours).info('placed')
      const { trace_id: traceId, span_id: id } = fieldsOf(span)
      const apm = { isStarted: () => true, currentTransaction: { traceId, id: 'transaction' }, currentSpan: { id } }
      const agent = { _elasticApm: { ...apm, _conf: {} } }
      pino(ecsFormat(agent as object), theirs).info('placed')
    })
    expect([ours.last()['trace.id'], ours.last()['span.id']]).toEqual([
      theirs.last()['trace.id'],
      theirs.last()['span.id'],
    ])
    expect(Object.keys(ours.last()).filter((name) => name.startsWith('trace_') || name === 'span_id')).toEqual([])
  })
})

function notice(): pino.LoggerOptions {
  return { customLevels: { notice: 35 } } as pino.LoggerOptions
}

/** The two errors were created on one line of this file, so only the frames above differ. */
function withoutLine(theirs: Readonly<Record<string, unknown>>, ours: Readonly<Record<string, unknown>>) {
  const [a, b] = [theirs['error'], ours['error']] as { stack_trace?: string }[]
  if (a === undefined || b?.stack_trace === undefined) return theirs
  expect(b.stack_trace.split('\n', 2)).toEqual(a.stack_trace?.split('\n', 2))
  return { ...theirs, error: { ...a, stack_trace: b.stack_trace } }
}

const base = {
  '@timestamp': '2026-11-21T15:29:22.007Z',
  'ecs.version': '8.10.0',
  'process.pid': process.pid,
  'process.thread.name': 'main',
  'host.hostname': hostname(),
  'service.name': 'orders',
  'service.version': '1.2.3',
  'service.environment': 'production',
  'service.node.name': 'orders-1',
  'event.dataset': 'orders',
}

/** The same in every library: an error logged as a field by a named logger, in a trace. */
const writers: Readonly<Record<string, (error: Error) => Readonly<Record<string, unknown>>>> = {
  createLogger: (error) => {
    const lines = collectLines()
    const logger = createLogger({ application, format: 'ecs', clock, write: lines.write })
    logger.child({ logger: 'orders.db' }).error('failed', { error, rows: 3 })
    return lines.last()
  },
  pino: (error) => {
    const lines = collectLines()
    const logger = pino(pinoOptions({ application, format: 'ecs', clock }), lines)
    logger.child({ logger: 'orders.db' }).error({ err: error, rows: 3 }, 'failed')
    return lines.last()
  },
  winston: (error) => {
    const lines = collectLines()
    const transport = new winston.transports.Console({
      log: (info, next) => {
        lines.write(info[Symbol.for('message')])
        next()
      },
    })
    const format = winston.format.combine(logRecord({ application, format: 'ecs', clock }), winston.format.json())
    const logger = winston.createLogger({ format, transports: [transport] })
    logger.child({ logger: 'orders.db' }).error('failed', { error, rows: 3 })
    return lines.last()
  },
}

describe.each(Object.entries(writers))('%s in the Elastic Common Schema', (_, write) => {
  it('writes the same record as every other logger', () => {
    const error = new OutOfStock('no more at postgres://user:secret@db/shop')
    const { record, ids } = inTrace((span) => ({ record: write(error), ids: span.context }))
    expect(record).toEqual({
      ...base,
      ...{ 'log.level': 'error', 'log.logger': 'orders.db', message: 'failed', rows: 3 },
      ...{ 'trace.id': ids.traceId, 'span.id': ids.spanId },
      error: {
        ...{ type: 'OutOfStock', message: 'no more at postgres://***@db/shop', code: 'E_STOCK' },
        stack_trace: expect.stringMatching(/^Error: no more at postgres:\/\/\*{3}@db\/shop\n {4}at /),
      },
    })
  })

  it('passes the same event to sinks as in the other format', async () => {
    const events: LogEvent[] = []
    onTestFinished(addLogSink((event) => void events.push(event)))
    write(new OutOfStock('no more'))
    await Promise.resolve()
    const { level, severity, logger, message, error, attributes } = events[0] as LogEvent
    expect({ level, severity, logger, message }).toEqual({
      ...{ level: 'ERROR', severity: 17, logger: 'orders.db', message: 'failed' },
    })
    expect(error).toMatchObject({ message: 'no more', stack: expect.stringContaining('no more') })
    expect(attributes).toMatchObject({ rows: 3, 'thread.name': 'main' })
    expect(Object.keys(attributes).filter((name) => !['rows', 'thread.name', 'error'].includes(name))).toEqual([])
  })
})

describe('pino in the Elastic Common Schema', () => {
  it('names children once, and changes their levels by name', () => {
    const lines = collectLines()
    const logger = pino(pinoOptions({ application, format: 'ecs' }, { name: 'shop' }), lines)
    const orders = logger.child({ logger: 'orders', a: 1 })
    orders.child({ b: 2 }).child({ logger: 'orders.db' }).info('read')
    expect(lines.last()).toMatchObject({ 'log.logger': 'orders.db', a: 1, b: 2 })
    expect(lines.text().match(/logger"/g)).toHaveLength(1)
    pinoLoggers(logger).configure('orders', 'DEBUG')
    expect(orders.level).toBe('debug')
  })

  it("is processed by the application's formatters and mixin, and has its ids beside a nested key", () => {
    const lines = collectLines()
    const options = {
      nestedKey: 'payload',
      mixin: () => ({ mixed: 1 }),
      formatters: { log: (object: Record<string, unknown>) => ({ ...object, logged: true }) },
    }
    const { traceId } = inTrace((span) => {
      pino(pinoOptions({ application, format: 'ecs' }, options), lines).info({ a: 1 }, 'placed')
      return span.context
    })
    expect(lines.last()).toMatchObject({ 'trace.id': traceId, payload: { a: 1, mixed: 1, logged: true } })
  })
})

it('winston writes an error of its own in the Elastic Common Schema', () => {
  const format = logRecord({ application, format: 'ecs' })
  const info = Object.assign(new TypeError('bad'), { level: 'error', [Symbol.for('level')]: 'error' })
  const { error, level, ...record } = format.transform(info as TypeError & WinstonInfo)
  expect(error).toEqual({ type: 'TypeError', message: 'bad', stack_trace: info.stack })
  expect(Object.keys(record)).not.toContain('stack')
  expect(level).toBe('error')
})

it.each([
  ['pinoOptions', () => pinoOptions({ application, format: 'gelf' as 'ecs' })],
  ['logRecord', () => logRecord({ application, format: 'gelf' as 'ecs' })],
])('%s rejects an unknown format', (caller, create) => {
  expect(create).toThrow(new RangeError(`${caller}: format: expected "json" or "ecs", received "gelf"`))
})
