import type { Level } from './level.ts'
import { type LoggerLevel, type Loggers, rootName } from './loggers.ts'

/** What a logging library has to be able to do for its levels to be read and changed. */
export interface LoggerSource {
  readonly levels: readonly Level[]
  /** The names of all loggers but `ROOT`. */
  names(): Iterable<string>
  /** The level that holds for a logger now, whoever set it; `undefined` when there is none of this name. */
  read(name: string): Level | undefined
  write(name: string, level: Level): void
  /** The logger that one was made from, for a name that does not tell which is above it. */
  madeFrom?(name: string): string | undefined
}

/** Adds to the loggers of a library that a level is inherited. */
export function createLoggers(source: LoggerSource): Loggers {
  const given = new Map<string, Level>()
  const initial = source.read(rootName) ?? 'INFO'

  function above(name: string, names: ReadonlySet<string>): string {
    for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
      const prefix = name.slice(0, dot)
      if (names.has(prefix)) return prefix
    }
    const maker = source.madeFrom?.(name)
    return maker !== undefined && maker !== name && names.has(maker) ? maker : rootName
  }

  /** A level that the logger above does not have was given to this one, by whom so ever. */
  function isOwn(name: string, names: ReadonlySet<string>): boolean {
    return given.has(name) || source.read(name) !== source.read(above(name, names))
  }

  /** Whether a logger has its level from another, directly or by way of loggers in between. */
  function inherits(name: string, from: string, names: ReadonlySet<string>, steps = names.size): boolean {
    if (name === rootName || name === from || steps === 0 || isOwn(name, names)) return false
    const next = above(name, names)
    return next === from || inherits(next, from, names, steps - 1)
  }

  return {
    levels: source.levels,
    names: () => [rootName, ...[...source.names()].sort()],

    level(name): LoggerLevel | undefined {
      const effectiveLevel = source.read(name)
      if (effectiveLevel === undefined) return undefined
      const hasOwn = name === rootName || isOwn(name, new Set(source.names()))
      return hasOwn ? { configuredLevel: effectiveLevel, effectiveLevel } : { effectiveLevel }
    },

    configure(name, level) {
      if (source.read(name) === undefined) return
      const names = new Set(source.names())
      const heirs = [...names].filter((each) => inherits(each, name, names))
      if (level === undefined) given.delete(name)
      else given.set(name, level)
      const inherited = name === rootName ? initial : source.read(above(name, names))
      const effective = level ?? inherited ?? initial
      for (const each of [name, ...heirs]) source.write(each, effective)
    },
  }
}
