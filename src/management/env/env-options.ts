import type { Audience } from '../../health/visibility.ts'
import type { PropertySource } from './property-source.ts'

/** Whose configuration `env` shows, and which of its values. */
export interface EnvOptions {
  /**
   * Who sees the values of properties that may not be secrets; all others see `******`. `when-authorized` requires one
   * of the `roles`. @default 'never'
   */
  readonly showValues?: Audience | undefined
  /** The roles of which `when-authorized` requires one. @default any known caller */
  readonly roles?: readonly string[] | undefined
  /**
   * Names of properties whose values every caller sees; `*` stands for any characters. A name with `*` does not show
   * what may be a secret: properties whose names contain `password`, `token` and the like. @default []
   */
  readonly show?: readonly string[] | undefined
  /** Names of properties whose values are never shown; takes precedence over `show` and `showValues`. @default [] */
  readonly mask?: readonly string[] | undefined
  /** Configuration of the application, in order of precedence, behind the environment. @default [] */
  readonly sources?: readonly PropertySource[] | undefined
}
