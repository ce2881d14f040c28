import type { Report } from '../base/report.ts'
import type { HealthListener } from './changes.ts'
import { type Status, statusKey } from './status.ts'

export interface ChangeReporting {
  readonly report: Report
  /** Whether a component is not made of others, which are reported themselves. */
  readonly isLeaf: (component: string) => boolean
  /** The statuses that count, or are mapped to an HTTP status. */
  readonly statuses: Iterable<Status>
}

/**
 * Creates the listener that reports a component when it turns `DOWN`, with the reason, and when it no longer is; and the first
 * status of a component that is not among those that count, which is likely to be a mistake.
 */
export function createChangeReporter({ report, isLeaf, statuses }: ChangeReporting): HealthListener {
  const counting = new Map([...statuses].map((status) => [statusKey(status), status]))
  const warned = new Set<string>()
  return (change) => {
    if (change.kind !== 'component' || !isLeaf(change.component)) return
    const { component, from, to, reason } = change
    if (statusKey(to) === 'down') report(`health: ${component} is ${to}${reason === undefined ? '' : `: ${reason}`}`)
    else if (statusKey(from) === 'down') report(`health: ${component} is ${to} again`)
    if (counting.has(statusKey(to)) || warned.has(component)) return
    warned.add(component)
    const expected = [...counting.values()].join(', ')
    report(
      `health: ${component}: the status ${JSON.stringify(to)} does not count; expected one of ${expected}, or add it to "health.order"`,
    )
  }
}
