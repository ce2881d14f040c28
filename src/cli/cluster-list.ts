import { isStale, type MemberRecord } from '../cluster/member-image.ts'
import type { ClusterReader, ListedGroup } from '../entries/cluster.ts'
import { printable } from './output.ts'

/** What a member is doing: the first of these that holds. */
type ShownState = 'ended' | 'stale' | 'broken' | 'refusing' | 'accepting'

/** A member as it is printed. */
interface ShownMember {
  readonly slot: number
  readonly pid: number
  /** 0 for the main thread. */
  readonly thread: number
  readonly state: ShownState
  /** Seconds since it has written. */
  readonly age: number
  readonly series: number
  readonly application: string
  readonly version: string | undefined
  /** The time at which it joined, as in RFC 3339. */
  readonly joined: string
}

/** A group as it is printed. */
interface ShownGroup {
  readonly id: string
  readonly members: readonly ShownMember[]
  /** The files that are not merged; only where the group was named. */
  readonly refused?: ReturnType<ClusterReader['refused']>
}

/** Returns a group as it is printed. */
export function showGroup({ id, members }: ListedGroup, refused?: ShownGroup['refused']): ShownGroup {
  return { id, members: members.map(showMember), ...(refused && { refused }) }
}

function showMember(record: MemberRecord): ShownMember {
  const { slot, pid, threadId: thread, application, version, joinedAt } = record.identity
  const age = Math.round(record.age * 1000) / 1000
  const series = record.image.definitions.filter((definition) => definition !== undefined).length
  const joined = new Date(joinedAt * 1000).toISOString()
  return { slot, pid, thread, state: stateOf(record), age, series, application, version, joined }
}

function stateOf(record: MemberRecord): ShownState {
  if (!record.isAlive) return 'ended'
  if (isStale(record)) return 'stale'
  if (record.state.liveness === 'BROKEN') return 'broken'
  return record.state.readiness === 'ACCEPTING_TRAFFIC' ? 'accepting' : 'refusing'
}

const columns = ['slot', 'pid', 'thread', 'state', 'age', 'series'] as const

/** Returns a group as lines: its members as a table, and the files that are refused. */
export function groupText({ id, members, refused = [] }: ShownGroup): string {
  const live = members.filter(({ state }) => state !== 'ended').length
  const ended = members.length - live
  const heading = `${printable(id)}: ${count(live, 'live member')}${ended === 0 ? '' : `, ${ended} ended`}`
  const rows = members.map((member) =>
    columns.map((name) => (name === 'age' ? ageText(member.age) : `${member[name]}`)),
  )
  const files = refused.map(({ file, reason }) => `  ${printable(file)} is refused: ${printable(reason)}`)
  return [heading, ...(rows.length === 0 ? [] : tableLines([[...columns], ...rows])), ...files, ''].join('\n')
}

function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) => {
    const cells = row.map((cell, at) =>
      columns[at] === 'state' ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    )
    return `  ${cells.join('  ')}`
  })
}

function ageText(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const [size, unit] = seconds < 3600 ? [60, 'min'] : seconds < 86_400 ? [3600, 'h'] : [86_400, 'd']
  return `${Math.floor(seconds / size)} ${unit}`
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
