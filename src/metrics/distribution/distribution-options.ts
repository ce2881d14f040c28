import { argumentOutOfRange } from '../../base/errors.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import type { ForeignNames } from '../../base/unknown-option.ts'
import type { ExponentialHistogramOptions } from './exponential-counts.ts'
import { percentileBoundsBetween } from './percentile-buckets.ts'

/**
 * What a timer or summary records besides count, total and maximum. Values are in seconds for a timer, else in the base
 * unit.
 */
export interface DistributionOptions {
  /** Upper bounds of buckets: service level objectives, for example `[0.1, 0.25, 1]`. */
  readonly slo?: readonly number[] | undefined
  /**
   * Whether there are buckets fine enough for percentiles over all instances: those of Micrometer between the two
   * expected values.
   * @default false
   */
  readonly percentileHistogram?: boolean | undefined
  /**
   * The first bound of the percentile histogram. @default 0.001 for a timer, 120 for a long task timer, 1 for a summary
   */
  readonly minimumExpectedValue?: number | undefined
  /**
   * The last bound of the percentile histogram. @default 30 for a timer, 7200 for a long task timer, none for a summary
   */
  readonly maximumExpectedValue?: number | undefined
  /** Percentiles of this instance over the rolling window, as quantiles from 0 to 1. */
  readonly percentiles?: readonly number[] | undefined
  /** Base-2 exponential buckets, for OTLP and for Prometheus' native histograms. @default false */
  readonly exponential?: boolean | ExponentialHistogramOptions | undefined
}

/** The names of the options of distributions. */
export const distributionOptions = [
  'slo',
  'percentileHistogram',
  'minimumExpectedValue',
  'maximumExpectedValue',
  'percentiles',
  'exponential',
] as const

/** What others call the options of distributions. */
export const distributionForeignNames: ForeignNames = {
  buckets: 'slo',
  bounds: 'slo',
  boundaries: 'slo',
  serviceLevelObjectives: 'slo',
  histogram: 'percentileHistogram',
  percentilesHistogram: 'percentileHistogram',
  publishPercentileHistogram: 'percentileHistogram',
  publishPercentiles: 'percentiles',
  quantiles: 'percentiles',
  min: 'minimumExpectedValue',
  max: 'maximumExpectedValue',
  nativeHistogram: 'exponential',
}

/** @throws TypeError that starts with `where` if the exponential buckets have an unknown option. */
export function checkExponential(where: string, { exponential }: DistributionOptions): void {
  if (typeof exponential !== 'object') return
  requireKnownOptions(where, exponential, ['maximumBuckets', 'maximumScale'], {
    path: ['exponential'],
    foreignNames: { maxSize: 'maximumBuckets', maxBuckets: 'maximumBuckets', maxScale: 'maximumScale' },
  })
}

export interface DistributionDefaults {
  readonly kind: 'timer' | 'summary'
  readonly minimumExpectedValue: number
  readonly maximumExpectedValue: number
  /** How many of Micrometer's integer units make one unit: 1e9 nanoseconds per second. */
  readonly unitsOfPercentileBuckets: number
}

/**
 * Returns the bounds of all requested buckets, ascending, each once.
 *
 * @throws RangeError if a bound is not a positive finite number, or the expected values are not a range.
 */
export function boundsOf(options: DistributionOptions, defaults: DistributionDefaults): number[] {
  const bounds = new Set(options.slo)
  for (const bound of bounds) if (!isPositive(bound)) refuse('slo: expected positive numbers', bound)
  if (options.percentileHistogram === true) {
    const minimum = options.minimumExpectedValue ?? defaults.minimumExpectedValue
    const maximum = options.maximumExpectedValue ?? defaults.maximumExpectedValue
    if (!isPositive(minimum)) refuse('minimumExpectedValue: expected a positive number', minimum)
    if (!(maximum >= minimum)) refuse(`maximumExpectedValue: expected the minimum of ${minimum} or more`, maximum)
    for (const bound of percentileBoundsBetween(minimum, maximum, defaults.unitsOfPercentileBuckets)) bounds.add(bound)
  }
  return [...bounds].sort((one, other) => one - other)
}

/**
 * Returns the requested quantiles, ascending, each once.
 *
 * @throws RangeError if one is not from 0 to 1.
 */
export function quantilesOf({ percentiles = [] }: DistributionOptions): number[] {
  for (const quantile of percentiles) {
    if (!(quantile >= 0 && quantile <= 1)) refuse('percentiles: expected quantiles from 0 to 1, such as 0.95', quantile)
  }
  return [...new Set(percentiles)].sort((one, other) => one - other)
}

/**
 * Returns the options of the exponential buckets, or `undefined` if there are none.
 *
 * @throws RangeError if the number of buckets or the scale is out of its range.
 */
export function exponentialOf({ exponential }: DistributionOptions): ExponentialHistogramOptions | undefined {
  if (!exponential) return undefined
  if (exponential === true) return {}
  const { maximumBuckets = 2, maximumScale = 0 } = exponential
  if (!(Number.isInteger(maximumBuckets) && maximumBuckets >= 2)) {
    refuse('exponential.maximumBuckets: expected a whole number of 2 or more', maximumBuckets)
  }
  if (!(Number.isInteger(maximumScale) && maximumScale >= minScale)) {
    refuse(`exponential.maximumScale: expected a whole number of ${minScale} or more`, maximumScale)
  }
  return exponential
}

/** At this scale one bucket is wider than the range of doubles. */
const minScale = -11

function isPositive(value: number): boolean {
  return value > 0 && value < Number.POSITIVE_INFINITY
}

function refuse(expected: string, value: number): never {
  throw argumentOutOfRange(`${expected}, received ${value}`)
}
