import { kindOf } from './callback.ts'
import { invalidOption } from './errors.ts'
import { describeUnknownOption, type ForeignNames } from './unknown-option.ts'

/** What an error about an unknown option needs. */
export interface KnownOptionsContext {
  /** Where the object is in the options that the caller passed. @default they are the object */
  readonly path?: readonly string[] | undefined
  readonly foreignNames?: ForeignNames | undefined
}

/**
 * Checks that options are an object without unknown ones.
 *
 * @throws TypeError that starts with `where` and names what to write instead.
 */
export function requireKnownOptions<O extends object>(
  where: string,
  options: O,
  known: readonly Extract<keyof O, string>[],
  { path = [], foreignNames }: KnownOptionsContext = {},
): void {
  if (typeof options !== 'object' || options === null) {
    throw invalidOption(`${where}: expected an object of options, received ${kindOf(options)}`)
  }
  const names: readonly string[] = known
  const unknown = Object.keys(options).filter((name) => !names.includes(name))
  if (unknown.length === 0) return
  const errors = unknown.map((name) => describeUnknownOption([...path, name], names, foreignNames))
  throw invalidOption(`${where}: ${errors.join('; ')}`)
}
