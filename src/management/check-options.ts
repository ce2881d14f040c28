import { describeOptionErrors, type OptionIssue, show } from '../base/option-errors.ts'
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
    demandAuthorizeOfHealth(options)
    return
  }
  // A token that was passed in place of what knows it must not end up in a log.
  const faults = describeOptionErrors(
    options,
    error.issues as readonly OptionIssue[],
    ([first]) => first === 'authorize',
  )
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

/** Details for those who are authorized would be for nobody. */
function demandAuthorizeOfHealth({ health = {}, authorize }: ManagementOptions): void {
  if (authorize !== undefined) return
  const views = [
    ['health', health] as const,
    ...Object.entries(health.groups ?? {}).map(([name, group]) => [`health.groups.${name}`, group] as const),
  ]
  for (const [path, view] of views) {
    for (const option of ['showDetails', 'showComponents'] as const) {
      if (view[option] !== 'when-authorized') continue
      throw new TypeError(
        `createManagement: ${path}.${option}: "when-authorized" requires the option "authorize", such as bearerToken(process.env.MANAGEMENT_TOKEN); without it expected "never" or "always"`,
      )
    }
  }
}
