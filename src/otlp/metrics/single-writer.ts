import { failure } from '../../base/errors.ts'
import type { Report } from '../../base/report.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import type { ExportedCluster } from '../settings/telemetry-options.ts'

/** How often a member looks whether it has become the one that exports. */
const pollMilliseconds = 2_000

/** The export of a cluster's metrics by one member at a time. */
interface ClusterExport {
  /** The values of all members while this one exports them; empty otherwise. */
  readonly source: SnapshotSource
  /** Calls `takeOver` whenever this member becomes the one that exports. Returns a function that ends that. */
  watch(takeOver: () => void): () => void
}

/**
 * Creates the export of a cluster: by the first member that is alive, so that each series has one writer (OpenTelemetry
 * specification, metrics data model, "Single-Writer").
 */
export function createClusterExport(cluster: ExportedCluster, report: Report): ClusterExport {
  const { measurements } = cluster
  let hasFailed = false
  const isFirst = (): boolean => {
    try {
      return cluster.isFirst()
    } catch (error) {
      if (!hasFailed) report('otlp: the members of the cluster cannot be read; this one exports no metrics', error)
      hasFailed = true
      return false
    }
  }
  return {
    source: {
      names: () => (isFirst() ? measurements.names() : []),
      snapshot: (name) => (isFirst() ? measurements.snapshot(name) : []),
      slices: (size) => (isFirst() ? measurements.slices(size) : []),
      refresh: async () => (isFirst() ? measurements.refresh?.() : undefined),
    },
    watch(takeOver) {
      let wasFirst = isFirst()
      const timer = setInterval(() => {
        const before = wasFirst
        wasFirst = isFirst()
        if (wasFirst && !before) takeOver()
      }, pollMilliseconds)
      timer.unref()
      return () => clearInterval(timer)
    },
  }
}

/** Current receivers of the meters, stored on the registry so that duplicate installs of upkeep share it. */
const claimed: unique symbol = Symbol.for('upkeep.otlp.receivers')

interface ClaimedMeters extends MeterRegistry {
  [claimed]?: Set<string>
}

/**
 * Marks a receiver as receiving these meters; two exports to one receiver would count everything twice. Returns a
 * function that releases it.
 *
 * @throws Error when the receiver already receives them.
 */
export function claimReceiver(meters: ClaimedMeters, url: string): () => void {
  meters[claimed] ??= new Set()
  const urls = meters[claimed]
  if (urls.has(url)) {
    const { origin } = new URL(url)
    throw failure(
      'UPKEEP_ESTATE',
      `startTelemetry: these metrics are already exported to ${origin}; call shutdown() of that export first`,
    )
  }
  urls.add(url)
  return () => void urls.delete(url)
}
