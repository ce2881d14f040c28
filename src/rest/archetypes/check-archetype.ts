import { kindOf } from '../../base/callback.ts'
import { requireKnownOptions } from '../../base/known-options.ts'

/** The options of every archetype that shows values. */
export const showingOptions = ['representation', 'forms', 'links', 'embeds', 'lastModified', 'caching'] as const

const functions: readonly string[] = ['list', 'create', 'read', 'replace', 'remove', 'put', 'drop', 'run']

/**
 * Checks the options of an archetype, so that a misspelled method is an error instead of a 405.
 *
 * @throws TypeError with the archetype, its path and the option.
 */
export function checkOptions(archetype: string, path: string, options: unknown, known: readonly string[]): void {
  const where = `${archetype}(${JSON.stringify(path)})`
  requireKnownOptions(where, options, known)
  for (const [name, value] of Object.entries(options as object)) {
    if (functions.includes(name) && value !== undefined && typeof value !== 'function') {
      throw new TypeError(`${where}: ${name}: expected a function, received ${kindOf(value)}`)
    }
  }
}
