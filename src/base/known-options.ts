import { kindOf } from './callback.ts'

/**
 * Checks that options are an object without unknown ones.
 *
 * @throws TypeError that starts with `where`.
 */
export function requireKnownOptions(where: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`${where}: expected an object of options, received ${kindOf(options)}`)
  }
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new TypeError(`${where}: unknown option "${name}"; expected ${known.join(', ')}`)
    }
  }
}
