import { describeValue } from '../../base/describe-value.ts'
import { invalidOption } from '../../base/errors.ts'
import type { Report } from '../../base/report.ts'
import { createLoggers } from '../levels/create-loggers.ts'
import { type Level, levelNames } from '../levels/level.ts'
import { type Loggers, rootName } from '../levels/loggers.ts'
import { PinoFamily, type PinoLogger } from './pino-family.ts'
import { familyOf } from './pino-options.ts'

/** Pino's numbers of levels, from the least to the most verbose. */
const severities: readonly (readonly [Level, number])[] = [
  ['OFF', Number.POSITIVE_INFINITY],
  ['FATAL', 60],
  ['ERROR', 50],
  ['WARN', 40],
  ['INFO', 30],
  ['DEBUG', 20],
  ['TRACE', 10],
]

/** A logger of pino as Fastify types it: `app.log`. */
export interface FastifyLogger {
  level: string
  child(bindings: Record<string, never>): unknown
}

/**
 * Returns the levels of a logger of pino and its children, for `createManagement({ loggers })`. Includes all children
 * of a logger that was created with `pinoOptions`, otherwise those that are created from now on. The logger may be that
 * of Fastify, `app.log`.
 *
 * @throws TypeError if it is not a logger of pino.
 */
export function pinoLoggers(given: PinoLogger | FastifyLogger): Loggers {
  const logger = requirePinoLogger(given)
  const family = familyAt(logger)
  const levels = createLoggers({
    levels: levelNames,
    names: () => family.names(),
    creatorOf: (name) => family.creatorOf(name),

    read(name) {
      if (name === rootName) return levelOf(logger)
      const member = family.member(name)
      if (member !== undefined) return levelOf(member)
      const label = family.levelSetFor(name)
      return label === undefined ? undefined : levelAt(logger.levels.values[label] ?? Number.POSITIVE_INFINITY)
    },

    write(name, level) {
      const label = labelOf(logger, level)
      const before = (name === rootName ? logger : family.member(name))?.level
      if (name === rootName) logger.level = label
      family.setLevel(name, label, before)
    },
  })
  const report: Report = (message, cause) => {
    if (cause === undefined) logger.warn?.({}, message)
    else logger.error?.({ err: cause }, message)
  }
  // A logger with custom levels only cannot write reports.
  return logger.warn === undefined || logger.error === undefined ? levels : { ...levels, report }
}

function requirePinoLogger(logger: PinoLogger | FastifyLogger): PinoLogger {
  if ('levelVal' in logger && 'levels' in logger && 'onChild' in logger) return logger
  throw invalidOption(`pinoLoggers: expected a logger of pino, received ${describeValue(logger)}`)
}

function familyAt(logger: PinoLogger): PinoFamily {
  const { onChild } = logger
  const known: unknown = familyOf in onChild ? onChild[familyOf] : undefined
  // It may have been created by another copy of this module, ESM or CommonJS.
  if (typeof known === 'object' && known !== null && 'adopt' in known) return known as PinoFamily
  const family = new PinoFamily()
  const adopt = (child: PinoLogger) => {
    family.adopt(child)
    onChild(child)
  }
  logger.onChild = Object.assign(adopt, { [familyOf]: family })
  return family
}

function levelOf(logger: PinoLogger): Level {
  return levelAt(logger.levelVal)
}

/** Returns the level of a number; the less verbose one for a number between two levels. */
function levelAt(value: number): Level {
  return severities.findLast(([, severity]) => severity >= value)?.[0] ?? 'OFF'
}

/** Returns pino's label of a level; with custom levels, that of the most verbose one that is not more verbose. */
function labelOf(logger: PinoLogger, level: Level): string {
  const severity = severities.find(([name]) => name === level)?.[1] ?? Number.POSITIVE_INFINITY
  const fitting = Object.entries(logger.levels.values).filter(([, value]) => value >= severity)
  const [label = 'silent'] = fitting.sort(([, one], [, other]) => one - other)[0] ?? []
  return label
}
