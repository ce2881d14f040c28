import { basename } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import type { Availability } from '../lifecycle/availability.ts'
import { extensible } from '../metrics/extensible-registry.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import type { ClusterCommand, ClusterHost, ClusterView } from './cluster-host.ts'
import { bindClusterMeters } from './cluster-meters.ts'
import type { ClusterOptions } from './cluster-options.ts'
import { createRegistryCopier } from './copy-registry.ts'
import { createSnapshotCopier } from './copy-snapshots.ts'
import type { Group } from './files/group-files.ts'
import type { MemberFile } from './files/member-file.ts'
import type { MemberRecord, MemberState } from './member-image.ts'
import { createMemberRequests } from './member-requests.ts'
import { createMembersView } from './members-view.ts'
import { foldMembers } from './merge/fold-members.ts'
import { createMergedSource } from './merge/merged-source.ts'
import { createPublisher } from './publisher.ts'
import { shareRun, startRounds } from './rounds.ts'
import { createTarget } from './value-target.ts'

/** What `joinCluster` needs of a management. */
export interface ClusterManagement {
  readonly application?: { readonly name: string; readonly version?: string | undefined } | undefined
  readonly meters: MeterRegistry
  readonly measurements: SnapshotSource
  readonly availability: Availability
  readonly cluster: ClusterHost
  readonly report: Report
}

/** The membership of this process or thread in a group. */
export interface Cluster {
  /** The identity of the group: the same for all its members. */
  readonly id: string
  /** The number of this member, which is the value of its tag `member`. */
  readonly slot: number
  /** The values of all members as one. Its `refresh` reads the members. */
  readonly measurements: SnapshotSource
  /** Returns the members as they were last read. */
  members(): readonly MemberRecord[]
  /** Returns whether no live member has a lower slot: one member of a group is the first. */
  isFirst(): boolean
  /** Applies an operation to all members, this one included. */
  broadcast(command: ClusterCommand): void
  /** Leaves the group. What this member has counted stays in the merged view. */
  leave(): void
}

/** A group and the file of a member in it. */
export interface Membership {
  readonly group: Group
  readonly file: MemberFile
}

type Surroundings = ClusterOptions & { readonly report: Report; readonly clock: Clock }

/** Starts to write the values of a member, and shows those of all at its management. */
export function createMembership(
  management: ClusterManagement,
  { group, file }: Membership,
  options: Surroundings,
): Cluster {
  const { availability, measurements: local, cluster: host } = management
  const { report, clock, gauges = {}, maximumSeriesPerMeter } = options
  const { slot } = file.identity
  const failed = createFailureReport(report, clock)
  const target = createTarget(file, gauges)
  const publisher = createPublisher({
    file,
    failed,
    copier:
      local === management.meters
        ? createRegistryCopier(extensible(management.meters, 'joinCluster'), target)
        : createSnapshotCopier(local, target),
    refresh: async () => local.refresh?.(),
    state: () => stateOf(availability),
  })
  const view = createMembersView({
    group,
    merged: createMergedSource({ gauges, report, ...(maximumSeriesPerMeter && { maximumSeriesPerMeter }) }),
    publish: publisher.publish,
    failed: (error) => report('joinCluster: merging the values of the members failed', error),
    local,
    isAlone: ({ members, base }) =>
      publisher.isFailing() || (base === undefined && members.length === 1 && members[0]?.identity.slot === slot),
  })
  const isFirst = () => !view.members().some(({ isAlive, identity }) => isAlive && identity.slot < slot)

  /** Returns whether there was one. */
  const applyCommands = (): boolean => {
    const commands = group.commands.poll()
    for (const command of commands) {
      if (command.kind === 'requests') requests.serve(command)
      else host.applyCommand(command)
    }
    return commands.length > 0
  }
  const broadcast = (command: ClusterCommand): void => {
    group.commands.append(command)
    applyCommands()
  }
  const requests = createMemberRequests({
    ...{ files: group.requests, host, slot, members: view.members, broadcast, clock },
  })
  /** Reads the states of the members, for health, and folds those that have ended. */
  const look = async (): Promise<void> => {
    const { members } = await view.look()
    if (isFirst() && members.some(({ isAlive }) => !isAlive)) group.foldDead(foldMembers)
  }
  const lookOnce = shareRun(() => look().catch(failed))
  const round = async (isSecond: boolean): Promise<boolean> => {
    // Not awaited: counts must not wait for the files of many members.
    if (isSecond) void lookOnce()
    const isCounted = await publisher.publishRound(isSecond)
    return applyCommands() || isCounted
  }
  const rounds = startRounds(round, failed)

  let hasLeft = false
  const leave = (): void => {
    if (hasLeft) return
    hasLeft = true
    process.off('exit', leave)
    rounds.stop()
    group.requests.stop()
    detach()
    removeMeters()
    publisher.leave()
  }
  process.once('exit', leave)

  const cluster: Cluster = {
    id: basename(group.directory),
    slot,
    measurements: view.source,
    members: view.members,
    isFirst,
    broadcast,
    leave,
  }
  const shown: ClusterView = {
    source: view.source,
    members: view.members,
    member: (wanted) => (wanted === slot ? local : view.member(wanted)),
    refused: () => view.refused().length,
    broadcast,
    request: requests.send,
    slot,
    health: options.health,
    leave,
  }
  let detach = (): void => {}
  let removeMeters = (): void => {}
  try {
    detach = host.attach(shown)
  } catch (error) {
    leave()
    throw error
  }
  removeMeters = bindClusterMeters(management.meters, shown, publisher.isFailing)
  void lookOnce()
  return cluster
}

/** Returns what a member writes about itself. */
export function stateOf({ readiness, liveness }: Availability): MemberState {
  return { readiness, liveness, isFinal: false }
}

/** Reports the first failure, and another one at most once per minute: a full disk fails everything. */
function createFailureReport(report: Report, clock: Clock): (error: unknown) => void {
  let next = Number.NEGATIVE_INFINITY
  return (error) => {
    const now = clock.monotonicTime()
    if (now < next) return
    next = now + 60_000
    report('joinCluster: the values of this member cannot be written; other members show what it wrote before', error)
  }
}
