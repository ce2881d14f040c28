import type { Report } from '../base/report.ts'
import type { HealthListener } from './changes.ts'
import { type Status, statusKey } from './status.ts'

interface ChangeReporting {
  readonly report: Report
  /** Whether a component has no parts, which would be reported themselves. */
  readonly isLeaf: (component: string) => boolean
  /** The statuses that are ordered, or mapped to an HTTP status. */
  readonly statuses: Iterable<Status>
}

/**
 * Creates a listener that reports when a component becomes `DOWN`, with the reason, and when it recovers. Also reports
 * the first status of a component that is not in `statuses`, which is probably a typing error.
 */
export function createChangeReporter({ report, isLeaf, statuses }: ChangeReporting): HealthListener {
  const known = new Map([...statuses].map((status) => [statusKey(status), status]))
  const warned = new Set<string>()
  return (change) => {
    if (change.kind !== 'component' || !isLeaf(change.component)) return
    const { component, from, to, reason } = change
    if (statusKey(to) === 'down') report(`health: ${component} is ${to}${reason === undefined ? '' : `: ${reason}`}`)
    else if (statusKey(from) === 'down') report(`health: ${component} is ${to} again`)
    if (known.has(statusKey(to)) || warned.has(component)) return
    warned.add(component)
    const expected = [...known.values()].join(', ')
    report(
      `health: ${component}: unknown status ${JSON.stringify(to)} is ignored; expected one of ${expected}; ` +
        'others can be added to "health.order"',
    )
  }
}
