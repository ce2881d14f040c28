import type { ClusterView, ReadinessRule } from '../../cluster/cluster-host.ts'
import { isStale, type MemberRecord } from '../../cluster/member-image.ts'
import type { ClusterHealth } from '../../health/cluster-component.ts'
import type { Health } from '../../health/indicator.ts'
import type { Status } from '../../health/status.ts'
import type { Availability, Liveness, Readiness } from '../../lifecycle/availability.ts'

/** What a member was like when a report was made. */
interface ShownMember {
  readonly record: MemberRecord
  readonly readiness: Readiness
  readonly liveness: Liveness
  readonly isStale: boolean
}

/** Creates the function that returns the health of a cluster that was joined: the same object while it is unchanged. */
export function createClusterHealth(
  cluster: { readonly view: ClusterView | undefined },
  availability: Availability,
): () => ClusterHealth {
  let latest: { readonly basis: readonly unknown[]; readonly json: string; readonly health: ClusterHealth } | undefined

  return () => {
    const { view } = cluster
    if (view === undefined) return { status: 'UNKNOWN', components: {} }
    const { liveness, readiness } = availability
    const basis = [view, view.members(), liveness, readiness]
    if (latest?.basis.every((part, at) => part === basis[at])) return latest.health
    const health = healthOf(view, { liveness, readiness })
    const json = JSON.stringify(health)
    latest = { basis, json, health: latest?.json === json ? latest.health : health }
    return latest.health
  }
}

/** The state of this member is its present one: what it has written may be older. */
function healthOf(view: ClusterView, own: Pick<Availability, 'liveness' | 'readiness'>): ClusterHealth {
  const members = view
    .members()
    .filter(({ isAlive }) => isAlive)
    .map((record): ShownMember => {
      return record.identity.slot === view.slot
        ? { record, readiness: own.readiness, liveness: own.liveness, isStale: false }
        : { record, readiness: record.state.readiness, liveness: record.state.liveness, isStale: isStale(record) }
    })
  const statuses = members.map(statusOf)
  const ready = statuses.filter((status) => status === 'UP').length
  const rule = view.health?.ready
  return {
    status: rule === undefined || isReady(rule, ready, members.length) ? 'UP' : 'OUT_OF_SERVICE',
    details: {
      ...{ members: members.length, ready, stale: members.filter((member) => member.isStale).length },
      ...(rule !== undefined && { rule: typeof rule === 'string' ? rule : `at least ${rule.atLeast}` }),
    },
    components: Object.fromEntries(
      members.map((member, at) => [String(member.record.identity.slot), showMember(member, statuses[at] ?? 'UNKNOWN')]),
    ),
  }
}

function statusOf({ liveness, readiness, isStale: stale }: ShownMember): Status {
  if (stale || liveness === 'BROKEN') return 'DOWN'
  return readiness === 'ACCEPTING_TRAFFIC' ? 'UP' : 'OUT_OF_SERVICE'
}

function isReady(rule: ReadinessRule, ready: number, members: number): boolean {
  if (rule === 'all') return members > 0 && ready === members
  return ready >= (rule === 'any' ? 1 : rule.atLeast)
}

/** The age is in whole seconds, so that the report of members that write changes rarely. */
function showMember({ record, liveness, readiness, isStale: stale }: ShownMember, status: Status): Health {
  const { identity, age } = record
  return {
    status,
    details: { liveness, readiness, stale, age: Math.floor(age), pid: identity.pid, thread: identity.threadId },
  }
}
