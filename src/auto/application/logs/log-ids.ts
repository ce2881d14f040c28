import type { Safely } from '../../../instrumentation/safely.ts'
import type { LoadedModules } from '../loaded-modules.ts'

/** How the ids of the current trace reach the records of one logger. */
export interface LogIds {
  readonly name: string
  /** Called once. */
  begin?(safely: Safely): void
  /** Called with the modules that have been loaded, and again when there may be more. */
  observe?(modules: LoadedModules, safely: Safely): void
}
