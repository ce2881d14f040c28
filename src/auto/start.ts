import { writeSync } from 'node:fs'
import { describeError } from '../base/error-text.ts'
import type { Report } from '../base/report.ts'
import { openManagements } from '../management/created-managements.ts'
import type { Preparation, Waking } from './preparation.ts'
import { startManagement } from './start-management.ts'

/**
 * Starts the management of an application that does not know of it. Called once per process, when that wakes. Never
 * throws.
 */
export function start(preparation: Preparation, waking: Waking): void {
  const report: Report = /^\s*(?:true|1)\s*$/i.test(process.env['UPKEEP_QUIET'] ?? '') ? () => {} : reportToStderr
  try {
    if (openManagements() === 0) {
      startManagement(preparation, waking, report)
    } else {
      preparation.traps.remove()
      report('auto: does nothing, because the application has a management of its own')
    }
  } catch (error) {
    report('auto: the management cannot be started', error)
  }
}

/**
 * Writes one line to stderr. Not by `process.stderr` or `console`, which the application may have replaced, and whose
 * streams emit errors.
 */
const reportToStderr: Report = (message, cause) => {
  const reason = cause === undefined ? '' : `: ${describeError(cause)}`
  try {
    writeSync(2, `upkeep: ${message}${reason}\n`)
  } catch {
    // A pipe that is full or closed.
  }
}
