import * as z from 'zod/mini'
import { kindOf } from '../base/callback.ts'
import type { Clock } from '../base/clock.ts'
import { invalidOption } from '../base/errors.ts'
import { describeOptionErrors, type OptionIssue, type OptionSchema, withForeignNames } from '../base/option-errors.ts'
import type { Report } from '../base/report.ts'
import type { ForeignNames } from '../base/unknown-option.ts'
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
   * `each` with the tag `member`. @default 'each', and upkeep's own by docs/guides/cluster.md
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

/**
 * Checks the options of joinCluster, or of readCluster and listClusters, which have no health.
 *
 * @throws TypeError naming each invalid option, what is expected, and what was received.
 */
export function checkClusterOptions(caller: 'joinCluster' | 'readCluster' | 'listClusters', options: unknown): void {
  const schema = clusterOptions(caller)
  const { success, error } = schema.safeParse(options)
  if (success) return
  const issues = error.issues as readonly OptionIssue[]
  const errors = describeOptionErrors(issues, { options, schema: schema as OptionSchema, isSecret: () => false })
  throw invalidOption(`${caller}: ${errors.join('; ')}`)
}

/** @throws TypeError if it is not a management with a cluster: one of another version, or something else. */
export function checkManagement(management: unknown): void {
  if (typeof management === 'function' && 'cluster' in management) return
  throw invalidOption(
    `joinCluster: management: expected the result of createManagement, received ${kindOf(management)}`,
  )
}

/** Created on demand. */
function clusterOptions(caller: string) {
  const optional = z.optional
  const text = z.string('a string').check(z.minLength(1, 'a non-empty string'))
  const aCount = 'a whole number of 1 or more'
  const count = z.int(aCount).check(z.gte(1, aCount))
  const aRule = "'any', 'all' or { atLeast: number }"
  const ready = z.union([z.enum(['any', 'all']), z.strictObject({ atLeast: count })], aRule)
  const gauge = z.enum(['sum', 'max', 'min', 'last', 'each'], 'one of sum, max, min, last, each')
  const aFunction = (what: string) => z.custom((value) => typeof value === 'function', what)
  const aClock = 'an object with the functions wallTime and monotonicTime'
  const schema = z.strictObject(
    {
      group: optional(text),
      directory: optional(text),
      gauges: optional(z.record(z.string(), gauge, 'an object of rules by name of gauge')),
      maximumSeriesPerMeter: optional(count),
      ...(caller === 'joinCluster' && { health: optional(z.strictObject({ ready: optional(ready) }, 'an object')) }),
      report: optional(aFunction('a function (message, cause)')),
      clock: optional(z.custom((value) => typeof value === 'object' && value !== null, aClock)),
    },
    'an object',
  )
  return withForeignNames(schema, foreignNames)
}

const foreignNames: ForeignNames = {
  name: 'group',
  id: 'group',
  path: 'directory',
  folder: 'directory',
  aggregation: 'gauges',
  aggregators: 'gauges',
  ready: 'health.ready',
  readiness: 'health.ready',
  metrics: 'gauges',
  port: 'to listen in each member, call listen(management, { port }) of upkeep/node',
}
