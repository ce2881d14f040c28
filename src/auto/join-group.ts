import type { Report } from '../base/report.ts'
import { joinCluster } from '../cluster/join-cluster.ts'
import type { Cluster } from '../entries/cluster.ts'
import type { Management } from '../entries/index.ts'
import type { OwnGroup } from './own-group.ts'

/**
 * Joins the cluster of the group of this process: one port and one scrape for all members, which are ready as long as
 * one of them is.
 */
export function joinGroup(management: Management, { name, isPrimary }: OwnGroup, report: Report): Cluster {
  if (isPrimary) management.availability.refuseTraffic('the primary of node:cluster')
  return joinCluster(management, { group: name, health: { ready: 'any' }, report })
}
