import { basename, join } from 'node:path'
import { type Clock, systemClock } from '../base/clock.ts'
import { failure } from '../base/errors.ts'
import { contain, type Report, reportToConsole } from '../base/report.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import { checkClusterOptions, type GroupOptions, type MergeOptions } from './cluster-options.ts'
import { defaultBaseToRead } from './files/group-directory.ts'
import { Group } from './files/group-files.ts'
import type { RefusedFile } from './files/group-reader.ts'
import { directoryOf, groupDirectories, listGroups } from './find-group.ts'
import type { MemberRecord } from './member-image.ts'
import { createMembersView } from './members-view.ts'
import { createMergedSource } from './merge/merged-source.ts'

/** Options of `readCluster`. */
export interface ReadClusterOptions extends Omit<GroupOptions, 'group'>, MergeOptions {
  /** The name of the group, or its id. @default the only group of this user that has live members */
  readonly group?: string | undefined
  /** Called with what goes wrong. Never throws. @default console.error */
  readonly report?: Report | undefined
  /** @default the clock of the system */
  readonly clock?: Clock | undefined
}

/** A group as a process sees it that is not a member. */
export interface ClusterReader {
  /** The identity of the group. */
  readonly id: string
  /** The values of all members as one. Its `refresh` reads the members. */
  readonly measurements: SnapshotSource
  /** Returns the members as they were last read. */
  members(): readonly MemberRecord[]
  /** Returns the files of the group that are not merged, and why. */
  refused(): readonly RefusedFile[]
  /** Returns the series of one member by its slot; `undefined` if it does not exist. */
  member(slot: number): SnapshotSource | undefined
}

/**
 * Returns a reader of a group: for a process that is not a member of it, such as a sidecar that is scraped. It writes
 * nothing.
 *
 * @throws Error if there is no such group, or if its directory cannot be read.
 */
export function readCluster(options: ReadClusterOptions = {}): ClusterReader {
  checkClusterOptions('readCluster', options)
  const { clock = systemClock, gauges = {}, maximumSeriesPerMeter } = options
  const report = contain(options.report ?? reportToConsole)
  const directory = findExisting(options.directory ?? defaultBaseToRead(), options.group, { clock, report })
  const merged = createMergedSource({ gauges, report, ...(maximumSeriesPerMeter && { maximumSeriesPerMeter }) })
  const view = createMembersView({
    ...{ group: new Group({ directory, clock, report }), merged, local: merged },
    publish: () => Promise.resolve(),
    isAlone: () => false,
    failed: (error) => report('readCluster: merging the values of the members failed', error),
  })
  return {
    id: basename(directory),
    measurements: view.source,
    members: view.members,
    refused: view.refused,
    member: view.member,
  }
}

function findExisting(base: string, group: string | undefined, surroundings: { clock: Clock; report: Report }): string {
  if (group !== undefined) {
    const wanted = [directoryOf(base, group), join(base, group)]
    const found = groupDirectories(base).find((directory) => wanted.includes(directory))
    if (found !== undefined) return found
  }
  const groups = listGroups(base, surroundings)
  const ids = groups.map(({ directory }) => basename(directory))
  const known = `the groups of this user are ${ids.join(', ') || 'none'}`
  if (group !== undefined)
    throw failure('UPKEEP_ECLUSTER', `readCluster: group: there is no group ${JSON.stringify(group)}; ${known}`)
  const [only, another] = groups.filter(({ members }) => members.some(({ isAlive }) => isAlive))
  if (only !== undefined && another === undefined) return only.directory
  const what = only === undefined ? 'no group has a live member' : 'expected the name of one of several groups'
  throw failure('UPKEEP_ECLUSTER', `readCluster: group: ${what}; ${known}`)
}

/** The members of a group. */
export interface ListedGroup {
  readonly id: string
  readonly members: readonly MemberRecord[]
}

/** Returns the groups of this user. */
export function listClusters(options: ReadClusterOptions = {}): readonly ListedGroup[] {
  checkClusterOptions('listClusters', options)
  const { directory, report, clock = systemClock } = options
  const surroundings = { clock, report: contain(report ?? reportToConsole) }
  return listGroups(directory ?? defaultBaseToRead(), surroundings).map((group) => ({
    id: basename(group.directory),
    members: group.members,
  }))
}
