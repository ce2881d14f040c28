import type { Finding, HealthDocument, HealthNode, OverviewDocument, PoolFacts } from '../documents.ts'
import { mergeVitals } from './merge-samples.ts'
import type { OfMembers } from './of-member.ts'

/** An overview without what depends on the request. */
type MemberOverview = Omit<OverviewDocument, 'viewers' | 'links' | 'members'>

/** Returns the overviews of members as one. `silent` are the members that did not respond. */
export function mergeOverviews(parts: OfMembers<MemberOverview>, silent: readonly string[]): MemberOverview {
  const documents = parts.map(({ document }) => document)
  const first = parts[0].document
  const { now, application } = first
  const components = new Map<string, string[]>()
  for (const { health } of documents) {
    for (const [path, status] of Object.entries(health.components)) {
      components.set(path, [...(components.get(path) ?? []), status])
    }
  }
  return {
    ...{ now, application },
    findings: mergeFindings(parts, silent),
    health: {
      status: worstOf(documents.map(({ health }) => health.status)),
      liveness: worstOf(documents.map(({ health }) => health.liveness)),
      readiness: worstOf(documents.map(({ health }) => health.readiness)),
      components: Object.fromEntries([...components].map(([path, statuses]) => [path, worstOf(statuses)])),
    },
    vitals: mergeVitals(parts.map(({ document, ...member }) => ({ ...member, document: document.vitals }))),
    limits: {
      memory: first.limits.memory,
      heap: sum(documents.map(({ limits }) => limits.heap)),
      cpu: first.limits.cpu,
    },
    pools: mergePools(documents.map(({ pools }) => pools)),
    history: {
      maximumBytes: sum(documents.map((document) => document.history.maximumBytes)),
      bytes: sum(documents.map((document) => document.history.bytes)),
      droppedRecords: sum(documents.map((document) => document.history.droppedRecords)),
    },
  }
}

/** Returns the health of members as one: a component for each, with its components below. */
export function mergeHealth(parts: OfMembers<HealthDocument>): HealthDocument {
  const documents = parts.map(({ document }) => document)
  const { now } = parts[0].document
  const components = parts.map(({ member, document }) => ofMember(member, document.root))
  const groups = [...new Set(documents.flatMap((document) => Object.keys(document.groups)))]
  const changes = parts.flatMap(({ member, document }) =>
    document.changes.map((change) => ({ ...change, path: pathOf(member, change.path) })),
  )
  return {
    now,
    root: { path: '', status: worstOf(components.map(({ status }) => status)), components },
    groups: Object.fromEntries(
      groups.map((name) => [name, worstOf(documents.flatMap((document) => document.groups[name] ?? []))]),
    ),
    changes: changes.sort((one, other) => other.at - one.at),
  }
}

/** Returns the pools of members by name, with the connections of all. */
export function mergePools(all: readonly (readonly PoolFacts[])[]): readonly PoolFacts[] {
  const pools = new Map<string, PoolFacts>()
  for (const pool of all.flat()) {
    const before = pools.get(pool.name)
    const maximums = [before?.maximum, pool.maximum].filter((maximum) => maximum !== undefined)
    pools.set(pool.name, {
      name: pool.name,
      used: (before?.used ?? 0) + pool.used,
      idle: (before?.idle ?? 0) + pool.idle,
      waiting: (before?.waiting ?? 0) + pool.waiting,
      maximum: maximums.length === 0 ? undefined : sum(maximums),
    })
  }
  return [...pools.values()]
}

/** Returns what is wrong in any member; a component that is down in several of them once. */
function mergeFindings(parts: OfMembers<MemberOverview>, silent: readonly string[]): readonly Finding[] {
  const found = new Map<string, { readonly finding: Finding; readonly members: string[] }>()
  for (const { member, document } of parts) {
    for (const finding of document.findings) {
      const key = finding.kind === 'health' ? finding.link : `${member} ${finding.text}`
      const known = found.get(key) ?? { finding, members: [] }
      known.members.push(member)
      found.set(key, known)
    }
  }
  const findings = [...found.values()].map(({ finding, members: [first = '', ...others] }) => ({
    ...finding,
    text: `${others.length === 0 ? 'Member' : 'Members'} ${[first, ...others].join(', ')}: ${finding.text}`,
    link: `${finding.link}${finding.link.includes('?') ? '&' : '?'}member=${first}`,
  }))
  const ofSilent = silent.map((member) => ({
    ...({ kind: 'event-loop', severity: 'critical', link: '#/health' } as const),
    text: `Member ${member} does not respond; its event loop may be blocked`,
  }))
  const isCritical = ({ severity }: Finding) => Number(severity === 'critical')
  return [...ofSilent, ...findings.sort((one, other) => isCritical(other) - isCritical(one))]
}

function ofMember(member: string, node: HealthNode): HealthNode {
  const components = node.components.map((component) => ofMember(member, component))
  return { ...node, path: pathOf(member, node.path), components }
}

function pathOf(member: string, path: string): string {
  return path === '' ? member : `${member}/${path}`
}

const order = ['DOWN', 'OUT_OF_SERVICE', 'UP', 'UNKNOWN']

/** Returns the status that is first in the order of Spring Boot. Others are before `UP`. */
function worstOf(statuses: readonly string[]): string {
  const rank = (status: string) => (order.includes(status) ? order.indexOf(status) : 1.5)
  return [...statuses].sort((one, other) => rank(one) - rank(other))[0] ?? 'UNKNOWN'
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
