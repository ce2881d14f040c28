import { buildManagement } from './build-management.ts'
import { checkOptions } from './check-options.ts'
import type { Management } from './management.ts'
import type { ManagementOptions } from './options.ts'

/**
 * Creates the management of an application: health, probes, info and metrics, ready to be served by an adapter.
 *
 * @throws TypeError naming each invalid option; RangeError naming an unknown member of a health group.
 */
export function createManagement(options: ManagementOptions = {}): Management {
  checkOptions(options)
  return buildManagement(options)
}
