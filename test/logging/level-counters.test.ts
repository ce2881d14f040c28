import fastify from 'fastify'
import { pino } from 'pino'
import { createManagement, type Loggers, type ManagementOptions } from 'upkeep'
import { createLogger } from 'upkeep/logging'
import { pinoLoggers, pinoOptions, pinoTraceMixin } from 'upkeep/pino'
import { logRecord, traceFormat, winstonLoggers } from 'upkeep/winston'
import { describe, expect, it, onTestFinished } from 'vitest'
import winston from 'winston'
import { collectLines } from '../support/lines.ts'

const application = { name: 'orders' }

function manage(options: ManagementOptions = {}) {
  const management = createManagement({ metrics: { runtime: false }, ...options })
  onTestFinished(() => management.close())
  const counts = () => {
    const found = [...management.meters.snapshot()].filter(({ id }) => id.name === 'logback.events')
    return Object.fromEntries(found.map((meter) => [meter.id.tags[0]?.value, 'value' in meter && meter.value]))
  }
  return { management, counts }
}

const none = { trace: 0, debug: 0, info: 0, warn: 0, error: 0 }

function quiet(first: winston.Logform.Format): winston.Logger {
  return winston.createLogger({ format: first, transports: [new winston.transports.Console({ silent: true })] })
}

interface Connected {
  readonly loggers: Loggers
  readonly log: Readonly<Record<'info' | 'warn' | 'error', (message: string) => unknown>>
}

const silent = () => ({ write: () => {} })

describe('logback.events counts the records', () => {
  it.each<[string, () => Connected]>([
    [
      'createLogger',
      () => {
        const logger = createLogger({ application, write: () => {} })
        logger.child({ logger: 'db' }).trace('not enabled')
        return { loggers: logger.loggers, log: logger }
      },
    ],
    [
      'pino with pinoOptions',
      () => {
        const log = pino(pinoOptions({ application }, { mixin: () => ({}) }), silent())
        log.debug('not enabled')
        return { loggers: pinoLoggers(log), log: log.child({ logger: 'db' }) }
      },
    ],
    [
      'pino with pinoTraceMixin',
      () => {
        const log = pino({ mixin: pinoTraceMixin }, silent())
        return { loggers: pinoLoggers(log), log }
      },
    ],
    [
      "Fastify's logger with pinoTraceMixin",
      () => {
        const app = fastify({ logger: { mixin: pinoTraceMixin, stream: collectLines() } })
        return { loggers: pinoLoggers(app.log), log: app.log.child({ requestId: 1 }) }
      },
    ],
    [
      'winston with logRecord',
      () => {
        const log = quiet(logRecord({ application }))
        return { loggers: winstonLoggers(log), log }
      },
    ],
    [
      'winston with traceFormat',
      () => {
        const log = quiet(traceFormat())
        return { loggers: winstonLoggers(log), log }
      },
    ],
  ])('of %s by level', (_, create) => {
    const { loggers, log } = create()
    const { counts } = manage({ loggers })
    expect(counts()).toEqual(none)
    log.info('one')
    log.info('two')
    log.warn('three')
    log.error('four')
    expect(counts()).toEqual({ ...none, info: 2, warn: 1, error: 1 })
  })

  it('of levels between and above as the less severe one, fatal ones as error', () => {
    const { counts } = manage()
    const log = pino(pinoOptions({ application }, { level: 'trace', customLevels: { notice: 35 } }), silent())
    for (const level of ['trace', 'debug', 'notice', 'fatal'] as const) log[level]('hm')
    expect(counts()).toEqual({ trace: 1, debug: 1, info: 1, warn: 0, error: 1 })
  })

  it('in every management, until it is closed', () => {
    const [first, second] = [manage(), manage()]
    const log = createLogger({ application, write: () => {} })
    log.info('one')
    first.management.close()
    log.info('two')
    expect([first.counts(), second.counts()]).toEqual([expect.anything(), { ...none, info: 2 }])
    expect(first.counts()['info'] ?? 1).toBe(1)
  })
})

it('an application without a connected logger has no logback.events', () => {
  const { counts } = manage()
  pino({}, silent()).info('other')
  expect(counts()).toEqual({})
})

it('a meter of the application with that name is reported once, and logging continues', () => {
  const lines = collectLines()
  const logger = createLogger({ application, write: lines.write })
  const { management } = manage({ loggers: undefined, report: logger.loggers.report })
  management.meters.gauge('logback.events', { level: 'info' }, () => 1)
  logger.info('one')
  logger.info('two')
  expect(lines.records().map(({ message }) => message)).toEqual([
    expect.stringMatching(/^log records are not counted: .*logback\.events/),
    'one',
    'two',
  ])
})
