import { pino } from 'pino'
import { pinoOptions } from 'upkeep/pino'
import { describe, expect, it } from 'vitest'
import { fixedClock } from '../support/fixed-clock.ts'
import { fieldsOf, inTrace } from '../support/in-trace.ts'
import { collectLines } from '../support/lines.ts'

const application = { name: 'orders' }
const clock = fixedClock(Date.UTC(2026, 10, 21, 15, 29, 22, 7))

describe('a record of pino', () => {
  it('has the fields of the specification and no others, during a trace', () => {
    const lines = collectLines()
    const logger = pino(pinoOptions({ application, clock }), lines)
    const ids = inTrace((span) => {
      logger.info('placed')
      return fieldsOf(span)
    })
    expect(lines.last()).toEqual({
      timestamp: '2026-11-21T15:29:22.007Z',
      level: 'INFO',
      logger: 'ROOT',
      message: 'placed',
      'service.name': 'orders',
      thread: 'main',
      ...ids,
    })
  })

  it('has no ids while tracing is off', () => {
    const lines = collectLines()
    pino(pinoOptions({ application, clock }), lines).error('failed')
    expect(lines.text()).toBe(
      '{"level":"ERROR","timestamp":"2026-11-21T15:29:22.007Z","logger":"ROOT",' +
        '"service.name":"orders","thread":"main","message":"failed"}\n',
    )
  })

  it('does not modify the object that the application logs', () => {
    const lines = collectLines()
    const order = Object.freeze({ orderId: 7 })
    inTrace(() => pino(pinoOptions({ application }), lines).info(order, 'placed'))
    expect(order).toEqual({ orderId: 7 })
    expect(lines.last()).toMatchObject({ orderId: 7, trace_id: expect.stringMatching(/^[\da-f]{32}$/) })
  })

  it('prefers the fields of the application over those of upkeep', () => {
    const lines = collectLines()
    const mixin = (_object: object, level: number) => ({ level_number: level, span_id: 'mixed' })
    const logger = pino(pinoOptions({ application }, { mixin }), lines)
    inTrace(() => logger.info({ trace_id: 'logged' }, 'placed'))
    expect(lines.last()).toMatchObject({ level_number: 30, span_id: 'mixed', trace_id: 'logged' })
  })

  it("is processed by the application's formatters, base and serializers", () => {
    const lines = collectLines()
    const options = {
      base: { region: 'eu', thread: 'other' },
      serializers: { card: () => '***' },
      formatters: {
        level: (_label: string, number: number) => ({ severity: number, level: number }),
        bindings: ({ region }: Record<string, unknown>) => ({ area: region }),
        log: (object: Record<string, unknown>) => ({ ...object, logged: true }),
      },
    }
    pino(pinoOptions({ application }, options), lines).warn({ card: '4111' }, 'paid')
    expect(lines.last()).toMatchObject({
      ...{ severity: 40, level: 'WARN', area: 'eu', card: '***', logged: true },
      ...{ logger: 'ROOT', 'service.name': 'orders', thread: 'main' },
    })
  })

  it('has its ids beside a nested key, not below it', () => {
    const lines = collectLines()
    const logger = pino(pinoOptions({ application }, { nestedKey: 'payload' }), lines)
    const ids = inTrace((span) => {
      logger.info({ orderId: 7 }, 'placed')
      return fieldsOf(span)
    })
    expect(lines.last()).toMatchObject({ ...ids, payload: { orderId: 7 } })
  })

  it('has the names of levels that the application adds', () => {
    const lines = collectLines()
    pino(pinoOptions({ application }, { customLevels: { notice: 35 } }), lines).notice('hm')
    expect(lines.last()).toMatchObject({ level: 'NOTICE' })
  })
})

describe('the name of a child', () => {
  const named = () => {
    const lines = collectLines()
    return { lines, logger: pino(pinoOptions({ application }, { name: 'shop' }), lines) }
  }

  it('is that of its bindings, once', () => {
    const { lines, logger } = named()
    logger.child({ logger: 'orders.db', pool: 1 }).info('connected')
    expect(lines.last()).toMatchObject({ logger: 'orders.db', pool: 1 })
    expect(lines.text().match(/"logger"/g)).toHaveLength(1)
  })

  it('is by default that of the logger from which it was created', () => {
    const { lines, logger } = named()
    logger.child({ requestId: 1 }).info('root')
    logger.child({ logger: 'orders' }).child({ requestId: 2 }, { level: 'trace' }).trace('child')
    expect(lines.records().map((record) => record['logger'])).toEqual(['shop', 'orders'])
  })

  it('replaces that of its parent, with any bindings in between', () => {
    const { lines, logger } = named()
    const orders = logger.child({ context: { a: 1, logger: 'shop' } }).child({ logger: 'orders' })
    orders.child({ requestId: 1 }).child({ logger: 'orders.db' }).info('connected')
    expect(lines.text().match(/"logger":"orders/g)).toHaveLength(1)
    expect(lines.last()).toMatchObject({ logger: 'orders.db', requestId: 1, context: { a: 1, logger: 'shop' } })
  })

  it("does not affect the application's onChild", () => {
    const children: unknown[] = []
    const logger = pino(pinoOptions({ application }, { onChild: (child) => children.push(child) }), collectLines())
    const child = logger.child({})
    expect(children).toEqual([child])
  })
})

describe('pinoOptions', () => {
  it('does not modify its argument', () => {
    const options = Object.freeze({
      level: 'debug',
      name: 'shop',
      formatters: Object.freeze({}),
      base: Object.freeze({}),
    })
    expect(pino(pinoOptions({ application }, options), collectLines()).level).toBe('debug')
    expect(options).toEqual({ level: 'debug', name: 'shop', formatters: {}, base: {} })
  })

  it('rejects an application without a name', () => {
    expect(() => pinoOptions({ application: { name: '' } })).toThrow(
      new TypeError('pinoOptions: application.name: expected a non-empty string, received ""'),
    )
  })

  it('rejects several targets, which require numeric levels', () => {
    expect(() => pinoOptions({ application }, { transport: { targets: [{ target: 'pino/file' }] } })).toThrow(
      /^pinoOptions: transport: expected one target/,
    )
  })
})
