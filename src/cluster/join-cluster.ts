import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { type Clock, systemClock } from '../base/clock.ts'
import { contain, type Report } from '../base/report.ts'
import type { Availability } from '../lifecycle/availability.ts'
import { extensible } from '../metrics/extensible-registry.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import type { SnapshotSource } from '../metrics/snapshot.ts'
import type { ClusterCommand, ClusterHost } from './cluster-host.ts'
import type { ClusterOptions } from './cluster-options.ts'
import { checkClusterOptions, checkManagement } from './cluster-options-schema.ts'
import { createRegistryCopier } from './copy-registry.ts'
import { createSnapshotCopier } from './copy-snapshots.ts'
import { openGroup } from './files/group.ts'
import { defaultBase } from './files/group-directory.ts'
import type { Group, MemberFile } from './files/group-interface.ts'
import { applicationName, findGroup } from './find-group.ts'
import type { MemberRecord, MemberState } from './member-image.ts'
import { createMembersView } from './members-view.ts'
import { foldMembers } from './merge/fold-members.ts'
import { createMergedSource } from './merge/merged-source.ts'
import { startPublisher } from './publisher.ts'
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

/** How often the members are looked at: for health, and to fold those that have ended. */
const lookMilliseconds = 1_000
/** How often commands for this member are looked for. */
const commandMilliseconds = 200

/**
 * Joins the group of this application's processes and threads: call it once in each, as soon as its management exists.
 * The endpoints of each member then show the values of all. If the group's files cannot be used, this is reported, and
 * the member goes on alone.
 *
 * @throws TypeError naming each invalid option.
 */
export function joinCluster(management: ClusterManagement, options: ClusterOptions = {}): Cluster {
  checkManagement(management)
  checkClusterOptions('joinCluster', options)
  const { clock = systemClock } = options
  const report = contain(options.report ?? management.report)
  const application = applicationName(management.application)
  const membership = attempt(
    () => {
      const directory = findGroup({
        ...{ group: options.group, application, clock, report },
        base: options.directory ?? defaultBase(),
      })
      const group = openGroup({ directory, clock, report })
      const file = group.join({
        application,
        version: management.application?.version,
        state: stateOf(management.availability, false),
        merge: foldMembers,
      })
      return { group, file }
    },
    (error) => report('joinCluster: the files of the group cannot be used; this member goes on alone', error),
  )
  return membership === undefined ? alone(management) : join(management, membership, { ...options, report, clock })
}

interface Membership {
  readonly group: Group
  readonly file: MemberFile
}

type Surroundings = ClusterOptions & { readonly report: Report; readonly clock: Clock }

function join(management: ClusterManagement, { group, file }: Membership, options: Surroundings): Cluster {
  const { availability, measurements: local, cluster: host } = management
  const { report, clock, gauges = {}, maximumSeriesPerMeter } = options
  const { slot } = file.identity
  const failed = createFailureReport(report, clock)
  const target = createTarget(file)
  const publisher = startPublisher(
    {
      file,
      failed,
      copier:
        local === management.meters
          ? createRegistryCopier(extensible(management.meters, 'joinCluster'), target)
          : createSnapshotCopier(local, target),
      refresh: async () => local.refresh?.(),
      state: () => stateOf(availability, false),
    },
    clock,
  )
  const view = createMembersView({
    group,
    merged: createMergedSource({ gauges, report, ...(maximumSeriesPerMeter && { maximumSeriesPerMeter }) }),
    publish: publisher.publish,
    failed: (error) => report('joinCluster: merging the values of the members failed', error),
    local,
    isOnly: ({ members, base }) => base === undefined && members.length === 1 && members[0]?.identity.slot === slot,
  })
  const isFirst = () => !view.members().some(({ isAlive, identity }) => isAlive && identity.slot < slot)

  const commands = repeat(commandMilliseconds, () => {
    for (const command of group.commands.poll()) host.applyCommand(command)
  })
  const looks = repeat(lookMilliseconds, async () => {
    const { members } = await view.read()
    if (isFirst() && members.some(({ isAlive }) => !isAlive)) attempt(() => group.foldDead(foldMembers), failed)
  })

  let hasLeft = false
  const leave = (): void => {
    if (hasLeft) return
    hasLeft = true
    process.off('exit', leave)
    commands.stop()
    looks.stop()
    detach()
    publisher.stop()
    publisher.publishNow(true)
  }
  process.once('exit', leave)

  const cluster: Cluster = {
    id: basename(group.directory),
    slot,
    measurements: view.source,
    members: view.members,
    isFirst,
    broadcast(command) {
      group.commands.append(command)
      for (const each of group.commands.poll()) host.applyCommand(each)
    },
    leave,
  }
  const detach = host.attach({
    source: view.source,
    members: view.members,
    member: (wanted) => (wanted === slot ? local : view.member(wanted)),
    refused: () => view.refused().length,
    broadcast: cluster.broadcast,
    slot,
    health: options.health,
  })
  void view.read()
  return cluster
}

/** A member without a group: it shows its own values, and what is meant for all members is meant for it. */
function alone({ measurements, cluster: host }: ClusterManagement): Cluster {
  return {
    id: randomUUID(),
    slot: 0,
    measurements,
    members: () => [],
    isFirst: () => true,
    broadcast: (command) => host.applyCommand(command),
    leave: () => {},
  }
}

/** Returns what the function returns; `undefined` if it throws, after `failed` was called. */
function attempt<T>(work: () => T, failed: (error: unknown) => void): T | undefined {
  try {
    return work()
  } catch (error) {
    failed(error)
    return undefined
  }
}

function stateOf({ readiness, liveness }: Availability, isFinal: boolean): MemberState {
  return { readiness, liveness, isFinal }
}

/** Calls a function at an interval, which does not keep the process alive; not again before it has resolved. */
function repeat(milliseconds: number, work: () => void | Promise<void>): { readonly stop: () => void } {
  let isRunning = false
  const timer = setInterval(async () => {
    if (isRunning) return
    isRunning = true
    await work()
    isRunning = false
  }, milliseconds)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/** Reports the first failure, and another one at most once per minute: a full disk fails every write. */
function createFailureReport(report: Report, clock: Clock): (error: unknown) => void {
  let next = Number.NEGATIVE_INFINITY
  return (error) => {
    const now = clock.monotonicTime()
    if (now < next) return
    next = now + 60_000
    report('joinCluster: the values of this member cannot be written; other members show what it wrote before', error)
  }
}
