import type { LoadedModules } from '../loaded-modules.ts'

/** A library that an application may use, and whether it is observed. */
export interface Library {
  readonly name: string
  /** Its package. @default name */
  readonly packageName?: string
  /** The first version that is observed, as `major.minor`. @default all */
  readonly from?: string
  /**
   * A string of its source that bundlers and minifiers keep, in two halves: a bundle of upkeep does not contain it.
   * @default in a bundle the library is not recognized
   */
  readonly mark?: readonly [string, string]
  /** Libraries with diagnostics channels are observed everywhere; those that are patched have to be found. */
  readonly observed: 'everywhere' | 'outside of bundles' | 'nowhere'
  /** The library whose calls are observed instead, if the application uses it through that. */
  readonly below?: string
  /** Observes the modules that have been loaded. Called again when there may be more. */
  observe?(modules: LoadedModules): void
}
