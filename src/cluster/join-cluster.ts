import { randomUUID } from 'node:crypto'
import { systemClock } from '../base/clock.ts'
import { contain } from '../base/report.ts'
import { bindClusterMeters } from './cluster-meters.ts'
import { type ClusterOptions, checkClusterOptions, checkManagement } from './cluster-options.ts'
import { defaultBase } from './files/group-directory.ts'
import { Group } from './files/group-files.ts'
import { applicationName, findGroup } from './find-group.ts'
import { type Cluster, type ClusterManagement, createMembership, type Membership, stateOf } from './membership.ts'
import { foldMembers } from './merge/fold-members.ts'

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
  const joinGroup = (): Membership => {
    const base = options.directory ?? defaultBase()
    const directory = findGroup({ group: options.group, base, application, clock, report })
    const group = new Group({ directory, clock, report })
    const { version } = management.application ?? {}
    const state = stateOf(management.availability)
    return { group, file: group.join({ application, version, state, merge: foldMembers }) }
  }

  let membership: Membership
  try {
    membership = joinGroup()
  } catch (error) {
    report('joinCluster: the files of the group cannot be used; this member goes on alone', error)
    return alone(management)
  }
  return createMembership(management, membership, { ...options, report, clock })
}

/** A member without a group: it shows its own values, and what is meant for all members is meant for it. */
function alone({ meters, measurements, cluster: host }: ClusterManagement): Cluster {
  const leave = bindClusterMeters(meters, { members: () => [], refused: () => 0 }, () => true)
  return {
    id: randomUUID(),
    slot: 0,
    measurements,
    members: () => [],
    isFirst: () => true,
    broadcast: (command) => host.applyCommand(command),
    leave,
  }
}
