import { pino } from 'pino'
import { addLogSink, createLogger, type LogEvent, type LogSink, withoutLogSinks } from 'upkeep/logging'
import { pinoOptions, pinoTraceMixin } from 'upkeep/pino'
import { logRecord, traceFormat } from 'upkeep/winston'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import winston from 'winston'
import { inTrace } from '../support/in-trace.ts'
import { collectLines } from '../support/lines.ts'

const application = { name: 'orders' }

/** A logger of one of the libraries, reduced to what all of them can do. */
interface Subject {
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string, fields?: Readonly<Record<string, unknown>>): void
  fail(error: Error): void
  named(name: string): Subject
  readonly lines: readonly string[]
}

function ofPino(options: pino.LoggerOptions, lines: string[] = []): Subject {
  const create = (logger: pino.Logger): Subject => ({
    log: (level, message, fields = {}) => logger[level](fields, message),
    fail: (error) => logger.error(error),
    named: (name) => create(logger.child({ logger: name })),
    lines,
  })
  return create(pino(options, { write: (line) => void lines.push(line) }))
}

function ofWinston(first: winston.Logform.Format): Subject {
  const lines: string[] = []
  const transport = new winston.transports.Console({
    log: (info, next) => {
      lines.push(JSON.stringify(info))
      next()
    },
  })
  const format = winston.format.combine(first, winston.format.json())
  const create = (logger: winston.Logger): Subject => ({
    log: (level, message, fields = {}) => void logger.log(level, message, fields),
    fail: (error) => void logger.error(error),
    named: (name) => create(logger.child({ logger: name })),
    lines,
  })
  return create(winston.createLogger({ level: 'debug', format, transports: [transport] }))
}

function ofOwn(format: 'json' | 'text'): Subject {
  const lines: string[] = []
  const root = createLogger({ application, format, level: 'DEBUG', write: (line) => void lines.push(line) })
  const create = (logger: typeof root): Subject => ({
    log: (level, message, fields) => logger[level](message, fields),
    fail: (error) => logger.error(error.message, error),
    named: (name) => create(logger.child({ logger: name })),
    lines,
  })
  return create(root)
}

const subjects: Readonly<Record<string, () => Subject>> = {
  'createLogger as JSON': () => ofOwn('json'),
  'createLogger as text': () => ofOwn('text'),
  'pino with pinoOptions': () => ofPino(pinoOptions({ application }, { level: 'debug' })),
  'pino with pinoOptions and a mixin': () =>
    ofPino(pinoOptions({ application }, { level: 'debug', mixin: () => ({}) })),
  'pino with pinoTraceMixin': () => ofPino({ level: 'debug', mixin: pinoTraceMixin }),
  'pino with other keys': () =>
    ofPino({ level: 'debug', mixin: pinoTraceMixin, messageKey: 'text', timestamp: pino.stdTimeFunctions.isoTime }),
  'winston with logRecord': () => ofWinston(logRecord({ application })),
  'winston with traceFormat': () => ofWinston(traceFormat()),
}

function collectEvents(sink: LogSink = () => {}): LogEvent[] {
  const events: LogEvent[] = []
  onTestFinished(
    addLogSink((event) => {
      events.push(event)
      return sink(event)
    }),
  )
  return events
}

/** Winston's records are passed on at the end of the current turn. */
async function passedOn(): Promise<void> {
  await Promise.resolve()
}

describe.each(Object.entries(subjects))('a record of %s', (_, create) => {
  it('has its level, severity, message and fields', async () => {
    const events = collectEvents()
    const before = Date.now()
    const logger = create()
    logger.log('warn', 'out of stock', { orderId: 7, item: { sku: 'a', sizes: [1, 2] } })
    logger.log('debug', 'looked up')
    await passedOn()
    const { level, severity, message, attributes, logger: name, error, trace, time } = events[0] as LogEvent
    const { 'thread.name': _thread, ...fields } = attributes
    expect({ level, severity, message, fields, name, error, trace }).toEqual({
      ...{ level: 'WARN', severity: 13, message: 'out of stock', name: 'ROOT', error: undefined, trace: undefined },
      fields: { orderId: 7, item: { sku: 'a', sizes: [1, 2] } },
    })
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(Date.now())
    expect(events.map((event) => [event.level, event.severity])).toEqual([
      ['WARN', 13],
      ['DEBUG', 5],
    ])
  })

  it('has the error with type, message and stack', async () => {
    const events = collectEvents()
    create().fail(new RangeError('refused'))
    await passedOn()
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      ...{ level: 'ERROR', severity: 17, message: 'refused' },
      error: { type: 'RangeError', message: 'refused', stack: expect.stringMatching(/^RangeError: refused\n {4}at /) },
    })
    expect(events[0]?.attributes).not.toHaveProperty('stack')
  })

  it('has the trace context and the name of the logger', async () => {
    const events = collectEvents()
    const { traceId, spanId, flags } = inTrace((span) => {
      create().named('orders.db').log('info', 'read')
      return span.context
    })
    await passedOn()
    expect(events[0]?.trace).toMatchObject({ traceId, spanId, flags })
    expect(events[0]?.logger).toBe('orders.db')
    expect(Object.keys(events[0]?.attributes ?? {}).filter((name) => name !== 'thread.name')).toEqual([])
  })

  it('retains its values when the objects of the application change', async () => {
    const events = collectEvents()
    const item = { count: 1 }
    create().log('info', 'counted', { item })
    item.count = 2
    await passedOn()
    expect(events[0]?.attributes['item']).toEqual({ count: 1 })
  })

  it('is written as without a sink', async () => {
    const alone = create()
    const fixed = /"(?:time|timestamp)":[^,]*|^\S+/g
    alone.log('info', 'placed', { orderId: 7 })
    const events = collectEvents()
    const observed = create()
    observed.log('info', 'placed', { orderId: 7 })
    await passedOn()
    expect(events).toHaveLength(1)
    expect(observed.lines.map((line) => line.replace(fixed, ''))).toEqual(
      alone.lines.map((line) => line.replace(fixed, '')),
    )
  })

  it('is written although a sink throws, rejects or logs', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => written.mockRestore())
    const logger = create()
    collectEvents(() => {
      throw new Error('sink')
    })
    // biome-ignore lint/nursery/noMisusedPromises: a sink of an application may be asynchronous
    collectEvents(async () => {
      throw new Error('sink')
    })
    const events = collectEvents(() => logger.log('info', 'nested'))
    logger.log('info', 'first')
    logger.log('info', 'second')
    await passedOn()
    expect(events.map(({ message }) => message)).toEqual(['first', 'second'])
    expect(logger.lines).toHaveLength(4)
    expect(written.mock.calls.map(([text]) => text)).toEqual(['upkeep: a log sink failed'])
  })

  it('is not passed to a removed sink, nor within withoutLogSinks', async () => {
    const seen: string[] = []
    const remove = addLogSink(({ message }) => void seen.push(String(message)))
    const logger = create()
    logger.log('info', 'first')
    withoutLogSinks(() => logger.log('info', 'hidden'))
    logger.log('info', 'second')
    await passedOn()
    remove()
    remove()
    logger.log('info', 'third')
    const events = collectEvents()
    logger.log('info', 'fourth')
    await passedOn()
    expect(seen).toEqual(['first', 'second'])
    expect(events.map(({ message }) => message)).toEqual(['fourth'])
    expect(logger.lines).toHaveLength(5)
  })
})

describe('a record of pino', () => {
  it('reaches sinks after serializers, redaction and streamWrite', () => {
    const events = collectEvents()
    const logger = ofPino({
      mixin: pinoTraceMixin,
      redact: ['card', 'user.password'],
      serializers: { req: ({ url }: { url: string }) => ({ url }) },
      hooks: { streamWrite: (line) => line.replaceAll('sk_live_1', '***') },
    })
    logger.log('info', 'paid with sk_live_1', {
      card: '4111',
      user: { name: 'ada', password: 'secret' },
      req: { url: '/pay', headers: { authorization: 'Bearer x' } },
    })
    expect(events[0]).toMatchObject({
      message: 'paid with ***',
      attributes: { card: '[Redacted]', user: { name: 'ada', password: '[Redacted]' }, req: { url: '/pay' } },
    })
    expect(JSON.stringify(events[0]?.attributes)).not.toContain('Bearer')
  })

  it.each([
    ['the name of pino', { name: 'shop' }, {}, 'shop', {}],
    ['a field that is called name', { name: 'shop' }, { name: 'Ada' }, 'ROOT', { name: 'Ada' }],
    ['no base', { base: null }, { pid: 5 }, 'ROOT', { pid: 5 }],
    ['no timestamp', { timestamp: false as const }, { time: 'noon' }, 'ROOT', { time: 'noon' }],
    ['a nested key', { nestedKey: 'payload' }, { a: 1 }, 'ROOT', { payload: { a: 1 } }],
    ['a redacted message', { redact: ['msg'] }, {}, 'ROOT', {}],
  ])('has its own fields only, with %s', (_, options, fields, name, attributes) => {
    const events = collectEvents()
    ofPino({ mixin: pinoTraceMixin, ...options }).log('info', 'hello', fields)
    expect([events[0]?.logger, events[0]?.attributes]).toEqual([name, attributes])
    expect(events[0]?.message).toBe('redact' in options ? '[Redacted]' : 'hello')
  })

  it.each([
    ['fatal', 'FATAL', 21],
    ['trace', 'TRACE', 1],
    ['notice', 'NOTICE', 11],
    ['loud', 'LOUD', 24],
  ] as const)('of the level %s has the severity of its number', (method, level, severity) => {
    const events = collectEvents()
    const logger = pino(
      { mixin: pinoTraceMixin, level: 'trace', customLevels: { notice: 35, loud: 90 } },
      collectLines(),
    )
    logger[method]('hm')
    expect(events[0]).toMatchObject({ level, severity })
  })

  it('may have no message, or an error under another key', () => {
    const events = collectEvents()
    const logger = pino({ mixin: pinoTraceMixin, errorKey: 'error' }, collectLines())
    logger.info({ a: 1 })
    logger.error(Object.assign(new Error('refused', { cause: new Error('dns') }), { code: 'E1' }), 'failed')
    expect(events[0]?.message).toBeUndefined()
    expect(events[1]).toMatchObject({
      message: 'failed',
      error: { type: 'Error', message: expect.stringContaining('refused') },
      attributes: { error: { code: 'E1' } },
    })
  })

  it('is passed on by loggers with the mixin only, and by their children', () => {
    const events = collectEvents()
    pino({}, collectLines()).info('other')
    const logger = pino({ mixin: pinoTraceMixin }, collectLines())
    logger.child({ requestId: 1 }).info('child')
    expect(events.map(({ message, attributes }) => [message, attributes])).toEqual([['child', { requestId: 1 }]])
  })

  it('of a serializer that logs is passed on as well', () => {
    const events = collectEvents()
    const inner = pino({ mixin: pinoTraceMixin }, collectLines())
    const serialize = () => {
      inner.info('inner')
      return 'order'
    }
    pino({ mixin: pinoTraceMixin, serializers: { order: serialize } }, collectLines()).info({ order: {} }, 'outer')
    expect(events.map(({ message }) => message)).toEqual(['inner', 'outer'])
  })
})

describe('a record of winston', () => {
  it.each([
    ['npm', 'http', 'HTTP', 7],
    ['npm', 'silly', 'TRACE', 1],
    ['syslog', 'emerg', 'FATAL', 23],
    ['syslog', 'notice', 'NOTICE', 10],
  ] as const)('of the levels of %s has for %s the level %s and the severity %i', async (set, name, level, severity) => {
    const events = collectEvents()
    const { levels } = winston.config[set]
    const least = Object.keys(levels).at(-1) ?? ''
    const logger = winston.createLogger({
      ...{ levels, level: least, format: traceFormat() },
      transports: [new winston.transports.Console({ silent: true })],
    })
    logger.log(name, 'hm')
    await passedOn()
    expect(events[0]).toMatchObject({ level, severity })
  })

  it('has no fields that a format before has removed', async () => {
    const events = collectEvents()
    const mask = winston.format((info) => Object.assign(info, { card: '***' }))
    const logger = winston.createLogger({
      format: winston.format.combine(mask(), traceFormat()),
      transports: [new winston.transports.Console({ silent: true })],
    })
    logger.info('paid', { card: '4111' })
    await passedOn()
    expect(events[0]?.attributes).toEqual({ card: '***' })
  })
})

it('a field called __proto__ is a field like any other', () => {
  const events = collectEvents()
  createLogger({ application, write: () => {} }).info('hm', JSON.parse('{"__proto__":{"isAdmin":true}}'))
  expect(Object.keys(events[0]?.attributes ?? {})).toEqual(['thread.name', '__proto__'])
  expect(events[0]?.attributes['isAdmin']).toBeUndefined()
})
