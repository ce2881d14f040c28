import * as z from 'zod/mini'
import { endpointIds, type ManagementOptions } from './options.ts'

const ownIndicators = ['livenessState', 'readinessState']

/**
 * Checks what a programmer passed.
 *
 * @throws TypeError naming each option that is not what it may be, what it may be, and what it was.
 */
export function checkOptions(options: ManagementOptions): void {
  const { success, error } = optionsSchema().safeParse(options)
  if (success) return
  const faults = error.issues.map((issue) => {
    const at = issue.path.map(String)
    if (issue.code === 'unrecognized_keys') {
      return `${issue.keys.map((key) => formatPath([...at, key])).join(', ')} is no option that there is`
    }
    if (issue.code === 'invalid_key') return `${formatPath(at)} ${issue.issues[0]?.message}`
    const value = valueAt(options, issue.path)
    return `${at.length === 0 ? 'options' : formatPath(at)} ${issue.message}, not ${at[0] === 'authorize' ? kindOf(value) : show(value)}`
  })
  throw new TypeError(`createManagement: ${faults.join('; ')}`)
}

/** Built when it is needed: at module level it would cost every import of upkeep. */
function optionsSchema() {
  const optional = z.optional
  const oneOf = (values: readonly string[]) => `must be one of ${values.join(', ')}`
  const aFunction = (what: string) => z.custom((value) => typeof value === 'function', `must be ${what}`)
  const anObject = (what: string) => z.custom((value) => typeof value === 'object' && value !== null, `must be ${what}`)
  const text = z.string('must be a text').check(z.minLength(1, 'must be a text that is not empty'))
  const flag = z.boolean('must be true or false')
  const names = z.array(text, 'must be a list of names')
  const audience = z.enum(['never', 'when-authorized', 'always'], oneOf(['never', 'when-authorized', 'always']))
  const withContent = 'must be from 200 to 599, and none of 204, 205 and 304, which have no content'
  const httpStatus = z.int('must be a whole number').check(
    z.gte(200, withContent),
    z.lte(599, withContent),
    z.refine((status) => ![204, 205, 304].includes(status), withContent),
  )

  const view = {
    order: optional(z.array(text, 'must be a list of statuses')),
    httpMapping: optional(z.record(text, httpStatus, 'must map statuses to HTTP statuses, such as { DOWN: 503 }')),
    showDetails: optional(audience),
    showComponents: optional(audience),
  }
  const groupName = text.check(z.regex(/^[^/]+$/, 'must be a name without a slash'))
  const group = z.strictObject({ ...view, include: optional(names), exclude: optional(names) }, 'must be an object')

  return z.strictObject(
    {
      application: optional(z.strictObject({ name: text, version: optional(text) }, 'must be { name, version }')),
      basePath: optional(
        z
          .string('must be a path')
          .check(z.regex(/^(\/|(\/[A-Za-z0-9._~-]*[A-Za-z0-9_~-])+)$/, "must be '/' or a path such as '/management'")),
      ),
      expose: optional(z.array(z.enum(endpointIds, oneOf(endpointIds)), 'must be a list of endpoint ids')),
      health: optional(
        z.strictObject(
          {
            ...view,
            indicators: optional(
              anObject('an object of health indicators by name').check(
                z.refine(
                  (indicators) => !ownIndicators.some((name) => Object.hasOwn(indicators as object, name)),
                  `must leave ${ownIndicators.join(' and ')} to the application's availability`,
                ),
              ),
            ),
            groups: optional(z.record(groupName, group, 'must be an object of groups by name')),
          },
          'must be an object',
        ),
      ),
      info: optional(
        z.strictObject(
          {
            build: optional(flag),
            git: optional(flag),
            runtime: optional(flag),
            os: optional(flag),
            process: optional(flag),
            contributors: optional(z.array(aFunction('a function'), 'must be a list of functions')),
          },
          'must be an object',
        ),
      ),
      authorize: optional(aFunction('a function from a request to a principal')),
      clock: optional(
        z.looseObject(
          { wallTime: aFunction('a function'), monotonicTime: aFunction('a function') },
          'must be a clock: { wallTime, monotonicTime }',
        ),
      ),
      report: optional(aFunction('a function of a message and a cause')),
    },
    'must be an object',
  )
}

function formatPath(path: readonly string[]): string {
  return path.map((key, at) => (/^\d+$/.test(key) ? `[${key}]` : at === 0 ? key : `.${key}`)).join('')
}

function valueAt(options: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, key) => (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key], options)
}

/** What was passed, where it is short; what it is, where it could be half the application. */
function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'function' || (typeof value === 'object' && value !== null) ? kindOf(value) : String(value)
}

/** A token that was passed in place of what knows it must not end up in a log. */
function kindOf(value: unknown): string {
  return Array.isArray(value)
    ? 'a list'
    : value === null
      ? 'null'
      : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}
