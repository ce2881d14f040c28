import type { Clock } from '../../base/clock.ts'
import { lazy } from '../../base/lazy.ts'
import type { Report } from '../../base/report.ts'
import { type AttachedCluster, createClusterHost } from '../../cluster/cluster-host.ts'
import { clusterName } from '../../health/cluster-component.ts'
import { createLevelChanges, type LevelChanges } from '../../logging/levels/level-changes.ts'
import type { ManagementOptions } from '../options.ts'
import { createCommandApplier } from './apply-command.ts'

interface ClusterSurroundings {
  /** Starts the shutdown. Returns whether there is one. */
  readonly shutDown: (reason: string) => boolean
  /** Called when health may have changed. */
  readonly changed: () => void
  readonly clock: Clock
  readonly report: Report
}

/** Where a cluster attaches to a management, and what its members can change: levels, and the shutdown. */
export function createManagedCluster(
  { loggers, loggerGroups: groups = {}, health: { indicators = {} } = {} }: ManagementOptions,
  { shutDown, changed, clock, report }: ClusterSurroundings,
): { readonly cluster: AttachedCluster; readonly levelChanges: LevelChanges | undefined } {
  const levelChanges = loggers && createLevelChanges(loggers, { groups, clock, report })
  const cluster: AttachedCluster = createClusterHost(
    (command) => applyCommand()(command),
    () => {
      if (cluster.view?.health?.ready !== undefined && Object.hasOwn(indicators, clusterName)) {
        report(`joinCluster: health.ready has no effect, because there is an indicator named "${clusterName}"`)
      }
      changed()
    },
  )
  const applyCommand = lazy(() => createCommandApplier({ cluster, changes: levelChanges, shutDown, clock, report }))
  return { cluster, levelChanges }
}
