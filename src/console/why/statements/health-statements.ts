import type { HealthNode } from '../../documents.ts'
import { formatSeconds, plainText } from '../shown-figures.ts'
import type { WhyStatement } from '../why-document.ts'
import type { WhyInput } from '../why-input.ts'

const maxReasonLength = 300

/** The components that are DOWN or OUT_OF_SERVICE. */
export function healthStatements({ health, changes, now }: WhyInput): readonly WhyStatement[] {
  if (health === undefined) return []
  return leavesOf(health)
    .filter(({ status }) => status === 'DOWN' || status === 'OUT_OF_SERVICE')
    .map(({ path, status, since, details }) => {
      const latest = changes.find((change) => change.path === path && change.to === status)
      const found = latest?.reason ?? (typeof details?.['error'] === 'string' ? details['error'] : undefined)
      const reason = found && plainText(found, maxReasonLength)
      const age = since === undefined ? 0 : (now - since) / 1_000
      return {
        ...({ kind: 'health', severity: 'critical', weight: status === 'DOWN' ? 100 : 99, since } as const),
        text: `${path} is ${status}${age < 1 ? '' : ` for ${formatSeconds(age)}`}${reason ? `: ${reason}` : ''}`,
        evidence: [{ name: `health/${path}`, value: status }],
        ...{ traces: [], link: `#/health?component=${encodeURIComponent(path)}` },
      }
    })
}

function leavesOf(node: HealthNode): readonly HealthNode[] {
  return node.components.length === 0 ? [node] : node.components.flatMap(leavesOf)
}
