import { kindOf } from '../../base/callback.ts'
import { invalidOption } from '../../base/errors.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import type { ForeignNames } from '../../base/unknown-option.ts'
import type { PageLimits } from './page.ts'

/** The options of every archetype that shows values. */
export const showingOptions = ['representation', 'forms', 'links', 'embeds', 'lastModified', 'caching'] as const

const functions: readonly string[] = ['list', 'create', 'read', 'replace', 'remove', 'put', 'drop', 'run']

/** What others call the options of archetypes, of which each has some. */
const meanings: ForeignNames = {
  post: 'create',
  patch: 'replace',
  put: 'replace',
  update: 'replace',
  delete: 'remove',
  destroy: 'remove',
  schema: 'representation',
  auth: 'access',
  authorize: 'access',
}

/**
 * Checks the options of an archetype, so that a misspelled method is an error instead of a 405.
 *
 * @throws TypeError with the archetype, its path and the option.
 */
export function checkOptions<O extends object>(
  archetype: string,
  path: string,
  options: O,
  known: readonly Extract<keyof O, string>[],
): void {
  const where = `${archetype}(${JSON.stringify(path)})`
  const names: readonly string[] = known
  const foreignNames = Object.fromEntries(Object.entries(meanings).filter(([, option]) => names.includes(option)))
  requireKnownOptions(where, options, known, { foreignNames })
  if ('page' in options && typeof options.page === 'object' && options.page !== null) {
    const page: PageLimits = options.page
    requireKnownOptions(where, page, ['size', 'maximumSize', 'maximumStartIndex'], {
      path: ['page'],
      foreignNames: { limit: 'size', default: 'size', defaultSize: 'size', max: 'maximumSize', maxSize: 'maximumSize' },
    })
  }
  for (const [name, value] of Object.entries(options)) {
    if (functions.includes(name) && value !== undefined && typeof value !== 'function') {
      throw invalidOption(`${where}: ${name}: expected a function, received ${kindOf(value)}`)
    }
  }
}
