import type { Report } from '../../base/report.ts'
import type { Level } from './level.ts'

/** The name of the logger above all others. */
export const rootName = 'ROOT'

/** How much one logger tells. */
export interface LoggerLevel {
  /** The level that it was given itself; absent where it has that of the logger above it. */
  readonly configuredLevel?: Level
  readonly effectiveLevel: Level
}

/**
 * The loggers of an application by name, as far as their levels go. `orders` is above `orders.db`, and `ROOT` above all.
 * Implement it to have the endpoint `loggers` read and change the levels of any other logging library.
 */
export interface Loggers {
  /** The levels that can be given, the quietest first. */
  readonly levels: readonly Level[]
  /** The names of all loggers, `ROOT` first. */
  names(): readonly string[]
  /** How much a logger tells, or `undefined` when there is none of this name. */
  level(name: string): LoggerLevel | undefined
  /**
   * Gives a logger, and those below it that have none of their own, a level. With `undefined` it gets that of the logger
   * above it, and `ROOT` the one that it began with.
   */
  configure(name: string, level: Level | undefined): void
  /** Writes a record of what upkeep reports: a failure with its cause at `ERROR`, all else at `WARN`. */
  readonly report?: Report | undefined
}
