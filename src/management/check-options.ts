import { describeFaults, type OptionIssue } from '../option-faults.ts'
import type { ManagementOptions } from './options.ts'
import { optionsSchema } from './options-schema.ts'

/**
 * Checks what a programmer passed.
 *
 * @throws TypeError naming each option that is not what it may be, what it may be, and what it was.
 */
export function checkOptions(options: ManagementOptions): void {
  const { success, error } = optionsSchema().safeParse(options)
  if (success) return
  // A token that was passed in place of what knows it must not end up in a log.
  const faults = describeFaults(options, error.issues as readonly OptionIssue[], ([first]) => first === 'authorize')
  throw new TypeError(`createManagement: ${faults.join('; ')}`)
}
