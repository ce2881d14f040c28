import type { Report } from '../../base/report.ts'
import { errorFields } from '../error-fields.ts'
import { createLoggers } from '../levels/create-loggers.ts'
import { type Level, levelNames } from '../levels/level.ts'
import { type Loggers, rootName } from '../levels/loggers.ts'

/** A logger of winston, as far as upkeep needs it. */
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

/** Winston's words for a level, of the sets `npm`, `cli` and `syslog`. */
const words: Readonly<Record<Exclude<Level, 'OFF'>, readonly string[]>> = {
  FATAL: ['fatal', 'crit'],
  ERROR: ['error'],
  WARN: ['warn', 'warning'],
  INFO: ['info'],
  DEBUG: ['debug'],
  TRACE: ['trace', 'silly'],
}

/**
 * The levels of loggers of winston, for `createManagement({ loggers })`: `ROOT` is the first, the others by their names. A
 * child has the level of the logger that it was made from. A transport with a level of its own writes no more than that.
 */
export function winstonLoggers(root: WinstonLogger, named: NamedWinstonLoggers = {}): Loggers {
  const known = () => new Map(isContainer(named) ? named.loggers : Object.entries(named))
  const at = (name: string) => (name === rootName ? root : known().get(name))
  const levels = createLoggers({
    levels: levelNames.filter((level) => level === 'OFF' || wordOf(root, level) !== undefined),
    names: () => [...known().keys()].filter((name) => name !== rootName),

    read(name) {
      const logger = at(name)
      return logger && levelOf(logger)
    },

    write(name, level) {
      const logger = at(name)
      if (logger === undefined) return
      const word = wordUpTo(logger, level)
      logger.silent = word === undefined
      if (word !== undefined) logger.level = word
    },
  })
  const [warn, error] = [wordOf(root, 'WARN'), wordOf(root, 'ERROR')]
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

function wordOf({ levels }: WinstonLogger, level: Exclude<Level, 'OFF'>): string | undefined {
  return words[level].find((word) => word in levels)
}

/** A logger that has no word for a level gets the next quieter one that it has. */
function wordUpTo(logger: WinstonLogger, level: Level): string | undefined {
  const upTo = levelNames.slice(1, levelNames.indexOf(level) + 1)
  const fitting = upTo.findLast((each) => each !== 'OFF' && wordOf(logger, each) !== undefined)
  return fitting === undefined || fitting === 'OFF' ? undefined : wordOf(logger, fitting)
}

/** A level between two, such as `verbose`, is told as the quieter one: of the other not everything is written. */
function levelOf(logger: WinstonLogger): Level {
  const number = logger.levels[logger.level]
  if (logger.silent || number === undefined) return 'OFF'
  const told = levelNames.findLast((level) => {
    const word = level === 'OFF' ? undefined : wordOf(logger, level)
    return word !== undefined && (logger.levels[word] ?? Number.POSITIVE_INFINITY) <= number
  })
  return told ?? 'OFF'
}
