import type { Report } from '../../base/report.ts'
import type { Level } from './level.ts'

/** The name of the logger from which all others inherit. */
export const rootName = 'ROOT'

/** The level of a logger. */
export interface LoggerLevel {
  /** The level that is configured for this logger; absent if it is inherited. */
  readonly configuredLevel?: Level
  readonly effectiveLevel: Level
}

/**
 * The levels of an application's loggers. `orders.db` inherits from `orders`, and all loggers from `ROOT`. Implement
 * this interface to let the endpoint `loggers` read and change the levels of another logging library.
 */
export interface Loggers {
  /** The supported levels, from the least to the most verbose. */
  readonly levels: readonly Level[]
  /** Returns the names of all loggers, `ROOT` first. */
  names(): readonly string[]
  /** Returns the level of a logger, or `undefined` if it does not exist. */
  level(name: string): LoggerLevel | undefined
  /**
   * Sets the level of a logger, and of the loggers that inherit from it. `undefined` restores the inherited level, and
   * the initial level of `ROOT`.
   */
  configure(name: string, level: Level | undefined): void
  /** Writes a record for a report of upkeep: at `ERROR` with a cause, otherwise at `WARN`. */
  readonly report?: Report | undefined
}
