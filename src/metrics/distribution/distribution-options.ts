import type { ExponentialOptions } from './exponential-counts.ts'
import { percentileBoundsBetween } from './percentile-buckets.ts'

/** What a timer or summary keeps besides count, total and maximum. Values are seconds for a timer, else in the base unit. */
export interface DistributionOptions {
  /** Upper bounds of buckets: service level objectives, for example `[0.1, 0.25, 1]`. */
  readonly slo?: readonly number[] | undefined
  /** Buckets fine enough for percentiles over all instances: Micrometer's own set, between the two expected values. @default false */
  readonly percentileHistogram?: boolean | undefined
  /** Where the buckets of the percentile histogram begin. @default 0.001 for a timer, 120 for a long task timer, 1 for a summary */
  readonly minimumExpectedValue?: number | undefined
  /** Where the buckets of the percentile histogram end. @default 30 for a timer, 7200 for a long task timer, no end for a summary */
  readonly maximumExpectedValue?: number | undefined
  /** Percentiles of this instance alone over the rolling window, as quantiles from 0 to 1. */
  readonly percentiles?: readonly number[] | undefined
  /** Base-2 exponential buckets, for OTLP. @default false */
  readonly exponential?: boolean | ExponentialOptions | undefined
}

export interface DistributionDefaults {
  readonly kind: 'timer' | 'summary'
  readonly minimumExpectedValue: number
  readonly maximumExpectedValue: number
  /** How many of Micrometer's whole numbers one unit has. */
  readonly unitsOfPercentileBuckets: number
}

/**
 * The bounds of all buckets that are asked for, ascending, each once.
 *
 * @throws RangeError for a bound that is not a positive finite number, or expected values that are no range.
 */
export function boundsOf(options: DistributionOptions, defaults: DistributionDefaults): number[] {
  const bounds = new Set(options.slo)
  for (const bound of bounds) if (!isPositive(bound)) refuse('slo must hold positive numbers', bound)
  if (options.percentileHistogram === true) {
    const minimum = options.minimumExpectedValue ?? defaults.minimumExpectedValue
    const maximum = options.maximumExpectedValue ?? defaults.maximumExpectedValue
    if (!isPositive(minimum)) refuse('minimumExpectedValue must be a positive number', minimum)
    if (!(maximum >= minimum)) refuse(`maximumExpectedValue must be the minimum of ${minimum} or more`, maximum)
    for (const bound of percentileBoundsBetween(minimum, maximum, defaults.unitsOfPercentileBuckets)) bounds.add(bound)
  }
  return [...bounds].sort((one, other) => one - other)
}

/**
 * The quantiles that are asked for, ascending, each once.
 *
 * @throws RangeError for one that is not from 0 to 1.
 */
export function quantilesOf({ percentiles = [] }: DistributionOptions): number[] {
  for (const quantile of percentiles) {
    if (!(quantile >= 0 && quantile <= 1)) refuse('percentiles must hold quantiles from 0 to 1, such as 0.95', quantile)
  }
  return [...new Set(percentiles)].sort((one, other) => one - other)
}

/**
 * What exponential buckets are made with, `undefined` where there are none.
 *
 * @throws RangeError for a number of buckets or a scale with which none could be made.
 */
export function exponentialOf({ exponential }: DistributionOptions): ExponentialOptions | undefined {
  if (!exponential) return undefined
  if (exponential === true) return {}
  const { maximumBuckets = 2, maximumScale = 0 } = exponential
  if (!(Number.isInteger(maximumBuckets) && maximumBuckets >= 2)) {
    refuse('exponential.maximumBuckets must be a whole number of 2 or more', maximumBuckets)
  }
  if (!(Number.isInteger(maximumScale) && maximumScale >= coarsestScale)) {
    refuse(`exponential.maximumScale must be a whole number of ${coarsestScale} or more`, maximumScale)
  }
  return exponential
}

/** At which one bucket is wider than the range of doubles. */
const coarsestScale = -11

function isPositive(value: number): boolean {
  return value > 0 && value < Number.POSITIVE_INFINITY
}

function refuse(what: string, value: number): never {
  throw new RangeError(`${what}, not ${value}`)
}
