import type { Level } from './level.ts'
import { type LoggerLevel, type Loggers, rootName } from './loggers.ts'

/** The operations of a logging library that are required to read and change its levels. */
interface LoggerSource {
  readonly levels: readonly Level[]
  /** Returns the names of all loggers except `ROOT`. */
  names(): Iterable<string>
  /** Returns the effective level of a logger, or `undefined` if it does not exist. */
  read(name: string): Level | undefined
  write(name: string, level: Level): void
  /** Returns the name of the logger from which one was created, if its name does not contain its parent's. */
  creatorOf?(name: string): string | undefined
}

/** Adds inheritance of levels to the loggers of a library. */
export function createLoggers(source: LoggerSource): Loggers {
  const configured = new Map<string, Level>()
  const initial = source.read(rootName) ?? 'INFO'

  const exists = (name: string): boolean => source.read(name) !== undefined

  function parentOf(name: string): string {
    for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
      const prefix = name.slice(0, dot)
      if (exists(prefix)) return prefix
    }
    const creator = source.creatorOf?.(name)
    return creator !== undefined && creator !== name && exists(creator) ? creator : rootName
  }

  /** Whether a level was configured for a logger, here or by the application: it differs from that of its parent. */
  function isOwn(name: string): boolean {
    return configured.has(name) || source.read(name) !== source.read(parentOf(name))
  }

  /** Whether a logger inherits its level from another one, directly or through loggers in between. */
  function inherits(name: string, from: string, steps: number): boolean {
    if (name === rootName || name === from || steps === 0 || isOwn(name)) return false
    const next = parentOf(name)
    return next === from || inherits(next, from, steps - 1)
  }

  return {
    levels: source.levels,
    names: () => [rootName, ...[...source.names()].sort()],

    level(name): LoggerLevel | undefined {
      const effectiveLevel = source.read(name)
      if (effectiveLevel === undefined) return undefined
      const hasOwn = name === rootName || isOwn(name)
      return hasOwn ? { configuredLevel: effectiveLevel, effectiveLevel } : { effectiveLevel }
    },

    configure(name, level) {
      if (!exists(name)) return
      const names = [...source.names()]
      const heirs = names.filter((each) => inherits(each, name, names.length))
      if (level === undefined) configured.delete(name)
      else configured.set(name, level)
      const inherited = name === rootName ? initial : source.read(parentOf(name))
      const effective = level ?? inherited ?? initial
      for (const each of [name, ...heirs]) source.write(each, effective)
    },
  }
}
