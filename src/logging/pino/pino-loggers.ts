import type { Report } from '../../base/report.ts'
import { createLoggers } from '../levels/create-loggers.ts'
import { type Level, levelNames } from '../levels/level.ts'
import { type Loggers, rootName } from '../levels/loggers.ts'
import { PinoFamily } from './pino-family.ts'
import type { PinoLogger } from './pino-logger.ts'
import { familyOf } from './pino-options.ts'

/** Pino's numbers, the quietest first. */
const severities: readonly (readonly [Level, number])[] = [
  ['OFF', Number.POSITIVE_INFINITY],
  ['FATAL', 60],
  ['ERROR', 50],
  ['WARN', 40],
  ['INFO', 30],
  ['DEBUG', 20],
  ['TRACE', 10],
]

/**
 * The levels of a logger of pino and of its children, for `createManagement({ loggers })`. With a logger that was made with
 * `pinoOptions` it has all children, else those that are made from then on.
 */
export function pinoLoggers(logger: PinoLogger): Loggers {
  const family = familyAt(logger)
  const levels = createLoggers({
    levels: levelNames,
    names: () => family.names(),
    madeFrom: (name) => family.madeFrom(name),

    read(name) {
      if (name === rootName) return levelOf(logger)
      const [member] = family.members(name)
      if (member !== undefined) return levelOf(member)
      const given = family.levelGiven(name)
      return given === undefined ? undefined : levelAt(logger.levels.values[given] ?? Number.POSITIVE_INFINITY)
    },

    write(name, level) {
      const label = labelOf(logger, level)
      const before = (name === rootName ? logger : family.members(name)[0])?.level
      if (name === rootName) logger.level = label
      family.give(name, label, before)
    },
  })
  const report: Report = (message, cause) => {
    if (cause === undefined) logger.warn?.({}, message)
    else logger.error?.({ err: cause }, message)
  }
  // A logger with levels of its own alone has nowhere to report to.
  return logger.warn === undefined || logger.error === undefined ? levels : { ...levels, report }
}

function familyAt(logger: PinoLogger): PinoFamily {
  const { onChild } = logger
  const known: unknown = familyOf in onChild ? onChild[familyOf] : undefined
  // Another copy of this module, ESM or CommonJS, may have made it.
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

/** A level between two is told as the quieter one: of the other not everything is written. */
function levelAt(value: number): Level {
  return severities.findLast(([, severity]) => severity >= value)?.[0] ?? 'OFF'
}

/** Pino's word for a level; where the logger has only levels of its own, that of the loudest that is not louder. */
function labelOf(logger: PinoLogger, level: Level): string {
  const severity = severities.find(([name]) => name === level)?.[1] ?? Number.POSITIVE_INFINITY
  const fitting = Object.entries(logger.levels.values).filter(([, value]) => value >= severity)
  const [label = 'silent'] = fitting.sort(([, one], [, other]) => one - other)[0] ?? []
  return label
}
