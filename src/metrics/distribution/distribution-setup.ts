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
import type { ExponentialOptions } from './exponential-counts.ts'
import { createFigures, type Figures, firstPlace } from './figures.ts'
import type { RollingWindow } from './rolling-window.ts'

/** What the meters of one registry share. */
export interface RecordingContext {
  readonly clock: Clock
  readonly window: RollingWindow
  readonly exemplars: Exemplars | undefined
  /** Is told of a measurement that was none. */
  readonly drop: (id: MeterId) => void
  /** The timer of the same name and tags, but for `error`. */
  readonly timerOfError: (
    id: MeterId,
    error: string,
    options: DistributionOptions,
  ) => { record(seconds: number): void } | undefined
}

/** All that meters of one configuration share, so that each holds one reference. */
export interface DistributionSetup extends RecordingContext {
  readonly kind: 'timer' | 'summary'
  /** What it was made of. */
  readonly options: DistributionOptions
  readonly bounds: readonly number[]
  /** Where to count a value; `undefined` when there is nothing but count, total and maximum. */
  readonly finder: BucketFinder | undefined
  /** How many counts there are: one more than bounds. */
  readonly buckets: number
  /** The figures of a new meter, to be copied. */
  readonly blank: Figures
  readonly quantiles: readonly number[]
  readonly exponential: ExponentialOptions | undefined
  /** Whether there is more to do at each record than the figures; where it is not, there is for an exemplar. */
  readonly detailed: boolean
}

/** @throws RangeError when an option is out of its range. */
export function createDistributionSetup(
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

/** The setups of one registry, each made once, so that the meters of one configuration share their bounds. */
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
