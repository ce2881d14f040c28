import type { ManagementOptions } from './options.ts'
import { optionsSchema } from './options-schema.ts'

/**
 * Checks what a programmer passed.
 *
 * @throws TypeError naming each option that is not what it may be, what it may be, and what it was.
 */
export function checkOptions(options: ManagementOptions): void {
  const { success, error } = optionsSchema().safeParse(options)
  if (success) {
    demandAuthorize(options)
    return
  }
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

/** What is for who is authorized would be for nobody without what says who that is. */
function demandAuthorize({ access = {}, authorize }: ManagementOptions): void {
  const [guarded] = Object.entries(access).filter(([, who]) => who === 'authorized' || typeof who === 'object')
  if (guarded === undefined || authorize !== undefined) return
  const [id, who] = guarded
  throw new TypeError(
    `createManagement: access.${id} must be 'public' or 'none' where there is no authorize, which says who is asking, not ${show(who)}`,
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
