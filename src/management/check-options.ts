import { describeValue } from '../base/describe-value.ts'
import { describeOptionErrors, type OptionIssue, type OptionSchema } from '../base/option-errors.ts'
import type { ManagementOptions } from './options.ts'
import { optionsSchema } from './options-schema.ts'

/**
 * Checks the options of `createManagement`.
 *
 * @throws TypeError with each invalid option, what is expected and what was received.
 */
export function checkOptions(options: ManagementOptions): void {
  const schema = optionsSchema()
  const { success, error } = schema.safeParse(options)
  if (success) {
    requireAuthorize(options)
    requireAuthorizeOfHealth(options)
    return
  }
  const errors = describeOptionErrors(error.issues as readonly OptionIssue[], {
    options,
    schema: schema as OptionSchema,
    // A token passed in place of bearerToken(token) must not end up in a log.
    isSecret: ([first]) => first === 'authorize',
  })
  throw new TypeError(`createManagement: ${errors.join('; ')}`)
}

/** Without `authorize` nobody could access a guarded endpoint. */
function requireAuthorize({ access = {}, authorize }: ManagementOptions): void {
  const [guarded] = Object.entries(access).filter(([, who]) => who === 'authorized' || typeof who === 'object')
  if (guarded === undefined || authorize !== undefined) return
  const [id, who] = guarded
  throw new TypeError(
    `createManagement: access.${id}: expected "public" or "none" without the option "authorize", received ${describeValue(who)}`,
  )
}

/** Without `authorize` nobody could see what is shown `when-authorized`. */
function requireAuthorizeOfHealth({ health = {}, authorize }: ManagementOptions): void {
  if (authorize !== undefined) return
  const views = [
    ['health', health] as const,
    ...Object.entries(health.groups ?? {}).map(([name, group]) => [`health.groups.${name}`, group] as const),
  ]
  for (const [path, view] of views) {
    for (const option of ['showDetails', 'showComponents'] as const) {
      if (view[option] !== 'when-authorized') continue
      throw new TypeError(
        `createManagement: ${path}.${option}: expected "never" or "always" without the option "authorize", such as bearerToken(process.env.MANAGEMENT_TOKEN), received "when-authorized"`,
      )
    }
  }
}
