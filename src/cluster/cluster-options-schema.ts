import * as z from 'zod/mini'
import { kindOf } from '../base/callback.ts'
import { describeOptionErrors, type OptionIssue, type OptionSchema, withForeignNames } from '../base/option-errors.ts'
import type { ForeignNames } from '../base/unknown-option.ts'

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
  throw new TypeError(`${caller}: ${errors.join('; ')}`)
}

/** @throws TypeError if it is not a management with a cluster: one of another version, or something else. */
export function checkManagement(management: unknown): void {
  if (typeof management === 'function' && 'cluster' in management) return
  throw new TypeError(
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
