import { argumentOutOfRange } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import { Distribution } from './distribution/distribution.ts'
import {
  checkExponential,
  type DistributionDefaults,
  type DistributionOptions,
  distributionForeignNames,
  distributionOptions,
} from './distribution/distribution-options.ts'
import { type BucketLayout, type Meter, type MeterOptions, meterForeignNames, type StoredMeter } from './meter.ts'
import type { MeterKind } from './meter-kind.ts'
import type { Series } from './series/series.ts'
import type { Exemplar, MeterSnapshot } from './snapshot.ts'

/** How often an amount occurred and how large it was, in the base unit. */
export interface Summary extends Meter {
  /**
   * Records an amount, multiplied by the scale. One that is negative, NaN or infinite is dropped and counted in
   * `upkeep.meters.dropped`.
   */
  record(amount: number): void
  readonly count: number
  readonly total: number
  /** The maximum of the rolling window; 0 if nothing was recorded. */
  readonly max: number
  /** 0 if nothing was recorded. */
  readonly mean: number
}

/** Options of a summary. They are ignored if the meter exists already. */
export interface SummaryOptions extends DistributionOptions, MeterOptions {
  /** The factor by which every amount is multiplied. @default 1 */
  readonly scale?: number | undefined
}

export const summaryKind: MeterKind<Summary & StoredMeter, SummaryOptions> = {
  name: 'summary',
  overflows: true,
  checkNames(where, options) {
    requireKnownOptions(where, options, [...distributionOptions, 'description', 'baseUnit', 'scale'], {
      foreignNames: { ...meterForeignNames, ...distributionForeignNames, factor: 'scale' },
    })
    checkExponential(where, options)
  },
  checkOptions({ scale = 1 }) {
    if (scale > 0 && scale < Number.POSITIVE_INFINITY) return
    throw argumentOutOfRange(`scale: expected a positive finite number, received ${scale}`)
  },
  create(series, options, { setupOf }) {
    const summary = new Distribution(series, setupOf(options, summaryDefaults))
    const { scale = 1 } = options
    return scale === 1 ? summary : new ScaledSummary(summary, scale)
  },
}

const summaryDefaults: DistributionDefaults = {
  kind: 'summary',
  minimumExpectedValue: 1,
  maximumExpectedValue: Number.POSITIVE_INFINITY,
  unitsOfPercentileBuckets: 1,
}

/** A summary that multiplies every amount before it is recorded. */
class ScaledSummary implements Summary, StoredMeter {
  readonly #summary: Distribution
  readonly #scale: number

  constructor(summary: Distribution, scale: number) {
    this.#summary = summary
    this.#scale = scale
  }

  get id(): Series {
    return this.#summary.id
  }

  record(amount: number): void {
    // Multiplication would turn a value that is not a number, such as '5', into one.
    this.#summary.record(typeof amount === 'number' ? amount * this.#scale : amount)
  }

  get count(): number {
    return this.#summary.count
  }

  get total(): number {
    return this.#summary.total
  }

  get max(): number {
    return this.#summary.max
  }

  get mean(): number {
    return this.#summary.mean
  }

  activity(): number {
    return this.#summary.activity()
  }

  snapshot(): MeterSnapshot | undefined {
    return this.#summary.snapshot()
  }

  copyTo(cells: Float64Array, place: number): boolean {
    return this.#summary.copyTo(cells, place)
  }

  bucketLayout(): BucketLayout {
    return this.#summary.bucketLayout()
  }

  exemplars(): readonly (Exemplar | undefined)[] | undefined {
    return this.#summary.exemplars()
  }
}
