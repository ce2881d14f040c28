import type { Clock } from 'upkeep'
import { type CheckRunner, type CheckRunnerOptions, createCheckRunner } from '../../src/health/checks/check-runner.ts'

/** Creates a check runner of which a test sets only what it is about. */
export function checkRunnerWith(clock: Clock, options: Partial<CheckRunnerOptions> = {}): CheckRunner {
  return createCheckRunner({ clock, report: () => {}, ...options })
}
