import { type CreateLoggerOptions, createLogger } from 'upkeep/logging'
import { describe, expect, it } from 'vitest'
import { fixedClock } from '../support/fixed-clock.ts'
import { fieldsOf, inTrace } from '../support/in-trace.ts'
import { collectLines } from '../support/lines.ts'
import { createManagementClient } from '../support/management-client.ts'

const application = { name: 'orders' }
const clock = fixedClock(Date.UTC(2026, 10, 21, 15, 29, 22, 123))

function create(options: Partial<CreateLoggerOptions> = {}) {
  const lines = collectLines()
  return { lines, logger: createLogger({ application, clock, write: lines.write, ...options }) }
}

describe('a record of the small logger', () => {
  it('is one line of JSON with the fields of the specification in their order', () => {
    const { lines, logger } = create()
    const ids = inTrace((span) => {
      logger.info('placed', { orderId: 7 })
      return fieldsOf(span)
    })
    expect(lines.text()).toBe(
      '{"timestamp":"2026-11-21T15:29:22.123Z","level":"INFO","logger":"ROOT","message":"placed",' +
        `"service.name":"orders","trace_id":"${ids['trace_id']}","span_id":"${ids['span_id']}",` +
        `"trace_flags":"${ids['trace_flags']}","thread":"main","orderId":7}\n`,
    )
  })

  it('has no ids while tracing is off', () => {
    const { lines, logger } = create()
    logger.warn('slow')
    expect(Object.keys(lines.last())).toEqual(['timestamp', 'level', 'logger', 'message', 'service.name', 'thread'])
  })

  it('has fields that the application cannot replace', () => {
    const { lines, logger } = create()
    logger.info('placed', { message: 'forged', level: 'ERROR', 'service.name': 'other' })
    expect(lines.last()).toMatchObject({ message: 'placed', level: 'INFO', 'service.name': 'orders' })
  })

  it('contains an error with its causes, without credentials and other properties', () => {
    const { lines, logger } = create()
    const cause = Object.assign(new Error('connect postgres://app:s3cret@db/orders failed'), { code: 'ECONNREFUSED' })
    const error = Object.assign(new TypeError('no orders', { cause }), {
      config: { headers: { authorization: 'Bearer abc' } },
    })
    logger.error('could not list', error)
    expect(lines.last()['error']).toEqual({
      type: 'TypeError',
      message: 'no orders',
      stack: expect.stringMatching(/^TypeError: no orders\n {4}at /),
      cause: {
        type: 'Error',
        message: 'connect postgres://***@db/orders failed',
        code: 'ECONNREFUSED',
        stack: expect.stringMatching(/^Error: connect postgres:\/\/\*\*\*@db\/orders failed\n {4}at /),
      },
    })
    expect(lines.text()).not.toMatch(/s3cret|Bearer/)
  })

  it('is written even if a field cannot be serialized', () => {
    const { lines, logger } = create()
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    const spoilt = {
      get broken() {
        throw new Error('no')
      },
    }
    logger.info('big', { amount: 7n, circle, list: [1] })
    logger.info('list', [1, 2])
    logger.info('text', 'why')
    logger.info('spoilt', { inside: spoilt })
    expect(lines.records()).toMatchObject([
      { amount: '7', circle: 'cannot be serialized as JSON', list: [1] },
      { details: [1, 2] },
      { details: 'why' },
      { inside: 'cannot be serialized as JSON' },
    ])
    expect(() => logger.info('spoilt', spoilt)).not.toThrow()
  })

  it('does not throw if it cannot be written', () => {
    const { logger } = create({
      write: () => {
        throw new Error('disk full')
      },
    })
    expect(() => logger.error('failed')).not.toThrow()
  })

  it('is plain text if configured', () => {
    const { lines, logger } = create({ format: 'text' })
    logger.child({ logger: 'orders.db' }).warn('slow\nforged', { ms: 9 })
    expect(lines.text()).toBe('2026-11-21T15:29:22.123Z  WARN [orders] [main] orders.db : slow\\nforged {"ms":9}\n')
  })
})

describe('a small logger', () => {
  it('writes the records that its level allows', () => {
    const { lines, logger } = create({ level: 'WARN', levels: { 'orders.db': 'DEBUG' } })
    const db = logger.child({ logger: 'orders.db.pool' })
    for (const each of [logger, db]) {
      each.error('e')
      each.info('i')
      each.debug('d')
      each.trace('t')
    }
    expect(lines.records().map(({ logger: name, message }) => `${name} ${message}`)).toEqual([
      'ROOT e',
      'orders.db.pool e',
      'orders.db.pool i',
      'orders.db.pool d',
    ])
    expect([logger.isEnabled('INFO'), db.isEnabled('DEBUG')]).toEqual([false, true])
  })

  it('passes its fields to its children', () => {
    const { lines, logger } = create()
    logger.child({ logger: 'orders', region: 'eu' }).child({ orderId: 7 }).info('placed', { items: 2 })
    expect(lines.last()).toMatchObject({ logger: 'orders', region: 'eu', orderId: 7, items: 2 })
  })

  it('can be used as report', async () => {
    const { lines, logger } = create()
    const failing = () => {
      throw new Error('no info')
    }
    const { send } = createManagementClient({
      expose: ['info'],
      info: { contributors: [failing] },
      report: logger.error,
    })
    await send('/management/info')
    expect(lines.last()).toMatchObject({ level: 'ERROR', error: { message: 'no info' } })
  })

  it.each([
    [
      'level',
      { level: 'LOUD' as never },
      /^createLogger: level: expected one of OFF, ERROR, WARN, INFO, DEBUG, TRACE, received "LOUD"$/,
    ],
    ['levels', { levels: { a: 'info' as never } }, /^createLogger: levels.a: expected one of/],
    [
      'format',
      { format: 'xml' as never },
      /^createLogger: format: expected one of "json", "ecs", "text", received "xml"$/,
    ],
    [
      'application',
      { application: {} as never },
      /^createLogger: application.name: expected a non-empty string, received undefined/,
    ],
  ])('rejects an invalid %s', (_, options, message) => {
    expect(() => create(options)).toThrow(message)
  })
})
