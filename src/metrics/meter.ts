import { kindOf } from '../base/callback.ts'
import { invalidArgument } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import type { ForeignNames } from '../base/unknown-option.ts'
import type { Series, SeriesHome } from './series/series.ts'
import type { Exemplar, MeterId, MeterSnapshot } from './snapshot.ts'

/** A meter of one series. */
export interface Meter {
  readonly id: MeterId
}

/** The name of a kind of meter. A function counter has the snapshot of a counter. */
export type MeterKindName = MeterSnapshot['kind'] | 'functionCounter'

/** Options of any meter. They are ignored if the meter exists already. */
export interface MeterOptions {
  /** One sentence for readers of the metrics, such as in `# HELP` of Prometheus. */
  readonly description?: string | undefined
  /** The unit of the values, such as `bytes`. Prometheus names end with it. */
  readonly baseUnit?: string | undefined
}

/** What others call the options of meters. */
export const meterForeignNames: ForeignNames = {
  help: 'description',
  unit: 'baseUnit',
  labels: 'the argument before the options has the tags',
  labelNames: 'the argument before the options has the tags',
  tags: 'the argument before the options has the tags',
}

/** @throws TypeError that starts with `where` if there is an unknown option. */
export function checkMeterNames(where: string, options: MeterOptions): void {
  requireKnownOptions(where, options, ['description', 'baseUnit'], { foreignNames: meterForeignNames })
}

/** A meter as a registry stores it. */
export interface StoredMeter extends Meter {
  readonly id: Series
  /** Returns the present values; `undefined` if the object that was measured no longer exists. */
  snapshot(): MeterSnapshot | undefined
  /** Returns a number that changes when the meter is used. */
  activity(): number
  /**
   * Copies the values to consecutive cells, in the order that `SeriesDefinition` says. Returns whether any of the cells
   * changed.
   */
  copyTo(cells: Float64Array, place: number): boolean
  /** Returns which buckets `copyTo` copies after the other values. Default: none. */
  bucketLayout?(): BucketLayout
  /** Returns the latest exemplar of each bucket, at the bucket's index. Default: none. */
  exemplars?(): readonly (Exemplar | undefined)[] | undefined
}

/** The buckets of a meter. */
export interface BucketLayout {
  /** The upper bounds of classic buckets; empty without them. */
  readonly bounds: readonly number[]
  /** The maximum number of exponential buckets; `undefined` without them. */
  readonly exponentialBuckets: number | undefined
}

/** Sets a cell, and returns whether it changed. */
export function setCell(cells: Float64Array, place: number, value: number): boolean {
  if (Object.is(cells[place], value)) return false
  cells[place] = value
  return true
}

/** What all series of one name have in common. */
export type MeterNaming = Pick<SeriesHome, 'name' | 'description' | 'baseUnit'>

/**
 * Checks a name, description and unit when the meter is created: in a scrape, an invalid one would fail the whole
 * page.
 *
 * @throws TypeError if the name is not a non-empty string, or the description or unit is not a string.
 */
export function checkNaming({ name, description, baseUnit }: MeterNaming): void {
  if (typeof name !== 'string' || name === '') {
    throw invalidArgument(`meter name: expected a non-empty string, received ${kindOf(name)}`)
  }
  for (const [option, value] of Object.entries({ description, baseUnit })) {
    if (value === undefined || typeof value === 'string') continue
    throw invalidArgument(`meter '${name}': ${option}: expected a string, received ${kindOf(value)}`)
  }
}
