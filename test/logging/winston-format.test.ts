import { Writable } from 'node:stream'
import { logRecord, plainText } from 'upkeep/winston'
import { describe, expect, it } from 'vitest'
import winston from 'winston'
import { fixedClock } from '../support/fixed-clock.ts'
import { fieldsOf, inTrace } from '../support/in-trace.ts'
import { collectLines } from '../support/lines.ts'

const application = { name: 'orders' }
const clock = fixedClock(Date.UTC(2026, 10, 21, 15, 29, 22, 120))

function createLogger(last: winston.Logform.Format = winston.format.json(), options: winston.LoggerOptions = {}) {
  const lines = collectLines()
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.write(String(chunk))
      done()
    },
  })
  const format = winston.format.combine(logRecord({ application, clock }), last)
  const transports = [new winston.transports.Stream({ stream })]
  return { lines, logger: winston.createLogger({ ...options, format, transports }) }
}

const record = {
  timestamp: '2026-11-21T15:29:22.120Z',
  level: 'INFO',
  logger: 'ROOT',
  message: 'placed',
  'service.name': 'orders',
  thread: 'main',
}

describe('a record of winston', () => {
  it('has the fields of the specification and no others, during a trace', () => {
    const { lines, logger } = createLogger()
    const ids = inTrace((span) => {
      logger.info('placed')
      return fieldsOf(span)
    })
    expect(lines.last()).toEqual({ ...record, ...ids })
  })

  it('has no ids while tracing is off', () => {
    const { lines, logger } = createLogger()
    logger.info('placed')
    expect(lines.last()).toEqual(record)
  })

  it('has the fields of the application, and does not modify its input', () => {
    const { lines, logger } = createLogger()
    const fields = Object.freeze({ orderId: 7, thread: 'mine' })
    logger.info('placed', fields)
    expect(lines.last()).toEqual({ ...record, orderId: 7 })
    expect(fields).toEqual({ orderId: 7, thread: 'mine' })
  })

  it('has the logger of a child or of the default fields', () => {
    const { lines, logger } = createLogger(winston.format.json(), { defaultMeta: { logger: 'orders' } })
    logger.info('placed')
    const other = createLogger()
    other.logger.child({ logger: 'orders.db' }).info('placed')
    expect([lines.last(), other.lines.last()].map(({ logger: name }) => name)).toEqual(['orders', 'orders.db'])
  })

  it.each([
    ['silly', 'TRACE'],
    ['verbose', 'VERBOSE'],
    ['warn', 'WARN'],
  ])('has for the level %s the level %s', (level, told) => {
    const { lines, logger } = createLogger(winston.format.json(), { level: 'silly' })
    logger.log(level, 'hm')
    expect(lines.last()).toMatchObject({ level: told })
  })

  it('contains an error with its stack', () => {
    const { lines, logger } = createLogger()
    logger.error(new Error('refused'))
    expect(lines.last()).toMatchObject({
      level: 'ERROR',
      message: 'refused',
      stack: expect.stringMatching(/^Error: refused\n/),
    })
  })

  it('is written as plain text by a following format', () => {
    const { lines, logger } = createLogger(plainText() as winston.Logform.Format)
    const ids = inTrace((span) => {
      logger.info('placed', { orderId: 7 })
      return span.context
    })
    expect(lines.text()).toBe(
      `2026-11-21T15:29:22.120Z  INFO [orders,traceId=${ids.traceId},spanId=${ids.spanId}] [main] ` +
        `ROOT : placed {"orderId":7}\n`,
    )
  })
})
