import type { Clock } from '../../base/clock.ts'
import type { Exemplars } from '../exemplar.ts'
import type { MeterId } from '../snapshot.ts'
import { BucketFinder } from './bucket-finder.ts'
import {
  boundsOf,
  type DistributionDefaults,
  type DistributionOptions,
  exponentialOf,
  quantilesOf,
} from './distribution-options.ts'
import type { ExponentialHistogramOptions } from './exponential-counts.ts'
import { createFigures, type Figures, firstPlace } from './figures.ts'
import type { RollingWindow } from './rolling-window.ts'

/** What all distributions of one registry share. */
interface RecordingContext {
  readonly clock: Clock
  readonly window: RollingWindow
  readonly exemplars: Exemplars | undefined
  /** Called for each measurement that is negative, NaN or infinite. */
  readonly drop: (id: MeterId) => void
  /** Returns the timer with the same name and tags and the tag `error`. */
  readonly timerOfError: (
    id: MeterId,
    error: string,
    options: DistributionOptions,
  ) => { record(seconds: number): void } | undefined
}

/** All that distributions with the same options share, so that each of them holds one reference. */
export interface DistributionSetup extends RecordingContext {
  readonly kind: 'timer' | 'summary'
  /** The options of the first meter with this setup. */
  readonly options: DistributionOptions
  readonly bounds: readonly number[]
  /** Finds the count of a value; `undefined` if only count, total and maximum are recorded. */
  readonly finder: BucketFinder | undefined
  /** The number of counts: one more than bounds. */
  readonly buckets: number
  /** The figures of a new meter, which are copied. */
  readonly blank: Figures
  readonly quantiles: readonly number[]
  readonly exponential: ExponentialHistogramOptions | undefined
  /** Whether each measurement is recorded in more than the figures, exemplars apart. */
  readonly detailed: boolean
}

/** @throws RangeError if an option is out of its range. */
function createDistributionSetup(
  context: RecordingContext,
  options: DistributionOptions,
  defaults: DistributionDefaults,
): DistributionSetup {
  const bounds = boundsOf(options, defaults)
  const quantiles = quantilesOf(options)
  const exponential = exponentialOf(options)
  const buckets = bounds.length + 1
  const detailed = quantiles.length > 0 || exponential !== undefined
  return {
    ...context,
    kind: defaults.kind,
    options,
    bounds,
    finder: bounds.length > 0 || detailed ? new BucketFinder(bounds, firstPlace) : undefined,
    buckets,
    blank: createFigures(buckets, context.window.rotations),
    quantiles,
    exponential,
    detailed,
  }
}

/** The setups of one registry. Meters with equal options share one. */
export class DistributionSetups {
  readonly #context: RecordingContext
  readonly #byOptions = new Map<DistributionDefaults, WeakMap<DistributionOptions, DistributionSetup>>()
  readonly #byContent = new Map<string, DistributionSetup>()

  constructor(context: RecordingContext) {
    this.#context = context
  }

  of(options: DistributionOptions, defaults: DistributionDefaults): DistributionSetup {
    const ofDefaults = this.#byOptions.get(defaults) ?? new WeakMap<DistributionOptions, DistributionSetup>()
    const known = ofDefaults.get(options)
    if (known !== undefined) return known
    const created = createDistributionSetup(this.#context, options, defaults)
    const content = JSON.stringify([created.kind, created.bounds, created.quantiles, created.exponential])
    const setup = this.#byContent.get(content) ?? created
    this.#byContent.set(content, setup)
    this.#byOptions.set(defaults, ofDefaults.set(options, setup))
    return setup
  }
}
