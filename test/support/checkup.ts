import type { Clock } from 'upkeep'
import { type Checkup, type CheckupOptions, createCheckup } from '../../src/health/checks/checkup.ts'

/** What checks share, for checks that share nothing else. */
export function checkupWith(clock: Clock, options: Partial<CheckupOptions> = {}): Checkup {
  return createCheckup({ clock, report: () => {}, ...options })
}
