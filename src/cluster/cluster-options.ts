import type { Clock } from '../base/clock.ts'
import type { Report } from '../base/report.ts'
import type { ClusterHealthOptions } from './cluster-host.ts'
import type { GaugeRule } from './series-definition.ts'

/** Where the files of a group are. */
export interface GroupOptions {
  /**
   * The name of the group. Members with the same name, user and directory form one group. Default: the processes of one
   * application, user and parent process.
   */
  readonly group?: string | undefined
  /**
   * A private directory (mode 0700) for the groups of this user. @default `upkeep-<uid>` in `$XDG_RUNTIME_DIR` or in
   * the directory for temporary files
   */
  readonly directory?: string | undefined
}

/** How the values of the members are merged. */
export interface MergeOptions {
  /**
   * How gauges are merged, by name, such as `{ 'queue.size': 'sum' }`: `sum`, `max`, `min`, the `last` one written, or
   * `each` with the tag `member`. @default 'each', and upkeep's own by docs/cluster.md
   */
  readonly gauges?: Readonly<Record<string, GaugeRule>> | undefined
  /** The maximum number of series per meter in the merged view. @default 1000 */
  readonly maximumSeriesPerMeter?: number | undefined
}

/** Options of `joinCluster`. */
export interface ClusterOptions extends GroupOptions, MergeOptions {
  /** When the cluster is ready. @default each member's readiness is its own */
  readonly health?: ClusterHealthOptions | undefined
  /** Called with what goes wrong. Never throws. @default the management's */
  readonly report?: Report | undefined
  /** @default the clock of the system */
  readonly clock?: Clock | undefined
}
