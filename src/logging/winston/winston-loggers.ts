import type { Report } from '../../base/report.ts'
import { errorFields } from '../error-fields.ts'
import { createLoggers } from '../levels/create-loggers.ts'
import { type Level, levelNames } from '../levels/level.ts'
import { type Loggers, rootName } from '../levels/loggers.ts'

/** The used part of a logger of winston. */
export interface WinstonLogger {
  level: string
  readonly levels: Readonly<Record<string, number>>
  silent: boolean
  readonly log?: ((level: string, message: string, meta: object) => unknown) | undefined
}

/** Loggers by name: `winston.loggers`, or an object of them. */
export type NamedWinstonLoggers =
  | { readonly loggers: ReadonlyMap<string, WinstonLogger> }
  | Readonly<Record<string, WinstonLogger>>

/** Winston's names of the levels, in the sets `npm`, `cli` and `syslog`. */
const levelNamesOf: Readonly<Record<Exclude<Level, 'OFF'>, readonly string[]>> = {
  FATAL: ['fatal', 'crit'],
  ERROR: ['error'],
  WARN: ['warn', 'warning'],
  INFO: ['info'],
  DEBUG: ['debug'],
  TRACE: ['trace', 'silly'],
}

/**
 * Returns the levels of loggers of winston, for `createManagement({ loggers })`: `ROOT` is the first one. A child has
 * the level of the logger from which it was created. The level of a transport still applies.
 */
export function winstonLoggers(root: WinstonLogger, named: NamedWinstonLoggers = {}): Loggers {
  const namesOf = () => (isContainer(named) ? [...named.loggers.keys()] : Object.keys(named))
  const find = (name: string) =>
    isContainer(named) ? named.loggers.get(name) : Object.hasOwn(named, name) ? named[name] : undefined
  const at = (name: string) => (name === rootName ? root : find(name))
  const levels = createLoggers({
    levels: levelNames.filter((level) => level === 'OFF' || nameOf(root, level) !== undefined),
    names: () => namesOf().filter((name) => name !== rootName),

    read(name) {
      const logger = at(name)
      return logger && levelOf(logger)
    },

    write(name, level) {
      const logger = at(name)
      if (logger === undefined) return
      const label = nameUpTo(logger, level)
      logger.silent = label === undefined
      if (label !== undefined) logger.level = label
    },
  })
  const [warn, error] = [nameOf(root, 'WARN'), nameOf(root, 'ERROR')]
  if (root.log === undefined || warn === undefined || error === undefined) return levels
  const report: Report = (message, cause) => {
    if (cause === undefined) root.log?.(warn, message, {})
    else root.log?.(error, message, { error: cause instanceof Error ? errorFields(cause) : cause })
  }
  return { ...levels, report }
}

function isContainer(named: NamedWinstonLoggers): named is { readonly loggers: ReadonlyMap<string, WinstonLogger> } {
  return named.loggers instanceof Map
}

function nameOf({ levels }: WinstonLogger, level: Exclude<Level, 'OFF'>): string | undefined {
  return levelNamesOf[level].find((name) => name in levels)
}

/** Returns the name of a level, or of the next less verbose one that the logger has. */
function nameUpTo(logger: WinstonLogger, level: Level): string | undefined {
  const upTo = levelNames.slice(1, levelNames.indexOf(level) + 1)
  const fitting = upTo.findLast((each) => each !== 'OFF' && nameOf(logger, each) !== undefined)
  return fitting === undefined || fitting === 'OFF' ? undefined : nameOf(logger, fitting)
}

/** Returns the level of a logger; the less verbose one for a level between two, such as `verbose`. */
function levelOf(logger: WinstonLogger): Level {
  const number = logger.levels[logger.level]
  if (logger.silent || number === undefined) return 'OFF'
  const level = levelNames.findLast((level) => {
    const name = level === 'OFF' ? undefined : nameOf(logger, level)
    return name !== undefined && (logger.levels[name] ?? Number.POSITIVE_INFINITY) <= number
  })
  return level ?? 'OFF'
}
