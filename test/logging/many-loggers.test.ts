import { pino } from 'pino'
import type { Loggers } from 'upkeep'
import { createLogger } from 'upkeep/logging'
import { pinoLoggers, pinoOptions } from 'upkeep/pino'
import { winstonLoggers } from 'upkeep/winston'
import { expect, it } from 'vitest'
import winston from 'winston'
import { cpuTime } from '../support/growth/cpu-time.ts'

const application = { name: 'orders' }
const discard = { write: () => {} }

const libraries: Readonly<Record<string, (names: readonly string[]) => Loggers>> = {
  'the small logger'(names) {
    const root = createLogger({ application, ...discard })
    for (const name of names) root.child({ logger: name })
    return root.loggers
  },
  pino(names) {
    const root = pino(pinoOptions({ application }), discard)
    const kept = names.map((name) => root.child({ logger: name }))
    return Object.assign(pinoLoggers(root), { kept })
  },
  'pino with many loggers of one name'(names) {
    const root = pino(pinoOptions({ application }), discard)
    const orders = root.child({ logger: 'orders' })
    const kept = names.flatMap((name) => [orders.child({ logger: 'orders' }), orders.child({ logger: name })])
    return Object.assign(pinoLoggers(root), { kept })
  },
  winston(names) {
    const logger = winston.createLogger({ silent: true })
    return winstonLoggers(logger, Object.fromEntries(names.map((name) => [name, logger])))
  },
}

const factor = 8

it.each(Object.entries(libraries))('the CPU time to list the loggers of %s grows linearly', (_library, create) => {
  const [few, many] = [250, factor * 250].map((count) =>
    create(Array.from({ length: count }, (_, at) => `orders.region${at % 10}.shop${at}`)),
  ) as [Loggers, Loggers]
  expect(many.names().length).toBeGreaterThan(factor * 250)
  // Quadratic work takes 64 times as long.
  expect(bestOf(() => list(many)) / bestOf(() => list(few))).toBeLessThan(3 * factor)
})

/** Reads all levels, as the endpoint `loggers` does. */
function list(loggers: Loggers): unknown {
  return loggers.names().map((name) => loggers.level(name))
}

function bestOf(work: () => unknown): number {
  return Math.min(...Array.from({ length: 10 }, () => cpuTime(work)))
}
