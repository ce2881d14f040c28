import { pino } from 'pino'
import type { Level, Loggers } from 'upkeep'
import { createLogger } from 'upkeep/logging'
import { pinoLoggers, pinoOptions } from 'upkeep/pino'
import { winstonLoggers } from 'upkeep/winston'
import { describe, expect, it } from 'vitest'
import winston from 'winston'
import { collectLines } from '../support/lines.ts'

const application = { name: 'orders' }

/** The same loggers in every library, and whether one of them would write a record of a level now. */
interface Subject {
  readonly loggers: Loggers
  readonly writes: (name: string, level: 'debug' | 'info' | 'error') => boolean
}

const names = ['orders', 'orders.db', 'web']

const subjects: Readonly<Record<string, () => Subject>> = {
  'the small logger': () => {
    const root = createLogger({ application, write: () => {} })
    const all = new Map(names.map((name) => [name, root.child({ logger: name })]))
    const writes: Subject['writes'] = (name, level) => (all.get(name) ?? root).isEnabled(level.toUpperCase() as 'INFO')
    return { loggers: root.loggers, writes }
  },
  'pino with pinoOptions': () => {
    const root = pino(pinoOptions({ application }), collectLines())
    const all = new Map(names.map((name) => [name, root.child({ logger: name })]))
    return { loggers: pinoLoggers(root), writes: (name, level) => (all.get(name) ?? root).isLevelEnabled(level) }
  },
  'pino without': () => {
    const root = pino({}, collectLines())
    const loggers = pinoLoggers(root)
    const all = new Map(names.map((name) => [name, root.child({ logger: name })]))
    return { loggers, writes: (name, level) => (all.get(name) ?? root).isLevelEnabled(level) }
  },
  winston: () => {
    const create = () => winston.createLogger({ transports: [new winston.transports.Console()] })
    const root = create()
    const all = new Map(names.map((name) => [name, create()]))
    const writes: Subject['writes'] = (name, level) => {
      const logger = all.get(name) ?? root
      return !logger.silent && logger.isLevelEnabled(level)
    }
    return { loggers: winstonLoggers(root, Object.fromEntries(all)), writes }
  },
}

describe.each(Object.entries(subjects))('the loggers of %s', (_, create) => {
  const effective = ({ loggers }: Subject) => loggers.names().map((name) => loggers.level(name)?.effectiveLevel)

  it('are listed by name, with configured and inherited levels', () => {
    const { loggers } = create()
    expect(loggers.names()).toEqual(['ROOT', 'orders', 'orders.db', 'web'])
    expect(loggers.level('ROOT')).toEqual({ configuredLevel: 'INFO', effectiveLevel: 'INFO' })
    expect(loggers.level('orders.db')).toEqual({ effectiveLevel: 'INFO' })
    expect(loggers.level('unknown')).toBeUndefined()
  })

  it('inherit the level of their parent', () => {
    const subject = create()
    subject.loggers.configure('orders', 'DEBUG')
    expect(effective(subject)).toEqual(['INFO', 'DEBUG', 'DEBUG', 'INFO'])
    expect(subject.loggers.level('orders')).toEqual({ configuredLevel: 'DEBUG', effectiveLevel: 'DEBUG' })
    expect(subject.loggers.level('orders.db')).toEqual({ effectiveLevel: 'DEBUG' })
    subject.loggers.configure('ROOT', 'ERROR')
    expect(effective(subject)).toEqual(['ERROR', 'DEBUG', 'DEBUG', 'ERROR'])
    expect([...names, 'ROOT'].map((name) => subject.writes(name, 'info'))).toEqual([true, true, false, false])
  })

  it('restore the inherited level', () => {
    const subject = create()
    subject.loggers.configure('orders', 'DEBUG')
    subject.loggers.configure('ROOT', 'WARN')
    subject.loggers.configure('orders', undefined)
    expect(effective(subject)).toEqual(['WARN', 'WARN', 'WARN', 'WARN'])
    subject.loggers.configure('ROOT', undefined)
    expect(effective(subject)).toEqual(['INFO', 'INFO', 'INFO', 'INFO'])
  })

  it('write nothing at OFF, and again after it', () => {
    const subject = create()
    subject.loggers.configure('web', 'OFF')
    expect([subject.writes('web', 'error'), subject.writes('orders', 'error')]).toEqual([false, true])
    expect(subject.loggers.level('web')).toEqual({ configuredLevel: 'OFF', effectiveLevel: 'OFF' })
    subject.loggers.configure('web', undefined)
    expect(subject.writes('web', 'info')).toBe(true)
  })

  it('support every level that they list', () => {
    const subject = create()
    for (const level of subject.loggers.levels) {
      subject.loggers.configure('ROOT', level)
      expect(effective(subject)).toEqual([level, level, level, level])
    }
    expect(subject.loggers.levels).toEqual(
      expect.arrayContaining<Level>(['OFF', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE']),
    )
  })

  it('are not created by their names', () => {
    const { loggers } = create()
    loggers.configure('unknown', 'DEBUG')
    expect(loggers.names()).not.toContain('unknown')
  })
})

describe('the loggers of pino', () => {
  it('include children without a name, and future ones', () => {
    const root = pino(pinoOptions({ application }), collectLines())
    const request = root.child({ requestId: 1 })
    const orders = root.child({ logger: 'orders' })
    const order = orders.child({ orderId: 7 })
    const loggers = pinoLoggers(root)
    loggers.configure('ROOT', 'DEBUG')
    loggers.configure('orders', 'TRACE')
    const later = [
      root.child({ logger: 'orders.db' }),
      root.child({ logger: 'orders' }),
      orders.child({}),
      root.child({}),
    ]
    expect([request, order, ...later].map(({ level }) => level)).toEqual([
      'debug',
      'trace',
      'trace',
      'trace',
      'trace',
      'debug',
    ])
  })

  it('do not change a child for which the application set another level', () => {
    const root = pino(pinoOptions({ application }), collectLines())
    const traced = root.child({ requestId: 1 }, { level: 'trace' })
    const loud = root.child({ logger: 'loud' }, { level: 'debug' })
    const loggers = pinoLoggers(root)
    expect(loggers.level('loud')).toEqual({ configuredLevel: 'DEBUG', effectiveLevel: 'DEBUG' })
    loggers.configure('ROOT', 'ERROR')
    expect([traced.level, loud.level]).toEqual(['trace', 'debug'])
  })

  it('inherit from the logger from which they were created if their names contain no parent', () => {
    const root = pino(pinoOptions({ application }), collectLines())
    const db = root.child({ logger: 'orders' }).child({ logger: 'db' })
    const loggers = pinoLoggers(root)
    loggers.configure('orders', 'DEBUG')
    expect([db.level, loggers.level('db')]).toEqual(['debug', { effectiveLevel: 'DEBUG' }])
  })

  it('report a level between two as the less verbose one', () => {
    const root = pino(pinoOptions({ application }, { customLevels: { notice: 35 }, level: 'notice' }), collectLines())
    expect(pinoLoggers(root).level('ROOT')?.effectiveLevel).toBe('WARN')
  })
})

describe('the loggers of winston', () => {
  it('support the levels of syslog', () => {
    const root = winston.createLogger({ levels: winston.config.syslog.levels, level: 'notice' })
    const loggers = winstonLoggers(root)
    expect(loggers.levels).toEqual(['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG'])
    expect(loggers.level('ROOT')?.effectiveLevel).toBe('WARN')
    loggers.configure('ROOT', 'FATAL')
    expect(root.level).toBe('crit')
  })

  it('may be those of a container', () => {
    const container = new winston.Container()
    const root = winston.createLogger()
    const loggers = winstonLoggers(root, container)
    const orders = container.add('orders')
    expect(loggers.names()).toEqual(['ROOT', 'orders'])
    loggers.configure('ROOT', 'DEBUG')
    expect(orders.level).toBe('debug')
  })

  it('include their children', () => {
    const root = winston.createLogger()
    const child = root.child({ logger: 'orders' })
    winstonLoggers(root).configure('ROOT', 'DEBUG')
    expect(child.isLevelEnabled('debug')).toBe(true)
  })
})
