import type { Distribution } from './distribution.ts'
import type { Meter, StoredMeter } from './meter.ts'
import type { Series } from './series.ts'
import type { DistributionSnapshot } from './snapshot.ts'

/** How often an amount occurred and how large it was, in the base unit. */
export interface Summary extends Meter {
  /** Takes an amount, times the scale. One that is negative, NaN or infinite is dropped, and counted in `upkeep.meters.dropped`. */
  record(amount: number): void
  readonly count: number
  readonly total: number
  /** 0 when nothing was recorded; the greatest of the rolling window. */
  readonly max: number
  /** 0 when nothing was recorded. */
  readonly mean: number
}

export class DistributionSummary implements Summary, StoredMeter {
  readonly id: Series
  readonly #distribution: Distribution
  readonly #scale: number

  constructor(id: Series, distribution: Distribution, scale: number) {
    this.id = id
    this.#distribution = distribution
    this.#scale = scale
  }

  record(amount: number): void {
    const scaled = amount * this.#scale
    if (scaled >= 0 && scaled < Number.POSITIVE_INFINITY) this.#distribution.record(scaled)
    else this.#distribution.setup.drop(this.id)
  }

  get count(): number {
    return this.#distribution.count
  }

  get total(): number {
    return this.#distribution.total
  }

  get max(): number {
    return this.#distribution.max
  }

  get mean(): number {
    return this.#distribution.mean
  }

  activity(): number {
    return this.#distribution.count
  }

  snapshot(): DistributionSnapshot {
    return this.#distribution.snapshot('summary', this.id)
  }
}
