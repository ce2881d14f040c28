import type { DistributionSetup } from './distribution-setup.ts'
import type { TakeExemplar } from './exemplar.ts'
import { ExponentialCounts } from './exponential-counts.ts'
import { RecentValues } from './recent-values.ts'
import type { DistributionSnapshot, Exemplar } from './snapshot.ts'

/** What only few distributions keep: percentiles, exponential buckets, exemplars. */
export class DistributionDetail {
  readonly #quantiles: readonly number[]
  readonly #recent: RecentValues | undefined
  readonly #exponential: ExponentialCounts | undefined
  readonly #takeExemplar: TakeExemplar | undefined
  readonly #exemplars: (Exemplar | undefined)[]

  constructor({ quantiles, exponential, window, takeExemplar, bounds }: DistributionSetup) {
    this.#quantiles = quantiles
    this.#recent = quantiles.length > 0 ? new RecentValues(window.rotations) : undefined
    this.#exponential = exponential && new ExponentialCounts(exponential)
    this.#takeExemplar = takeExemplar
    this.#exemplars = takeExemplar === undefined ? [] : new Array(bounds.length + 1).fill(undefined)
  }

  record(value: number, bucket: number): void {
    if (this.#recent !== undefined) this.#recent.record(value)
    if (this.#exponential !== undefined) this.#exponential.record(value)
    if (this.#takeExemplar !== undefined) {
      this.#exemplars[bucket] = this.#takeExemplar(value) ?? this.#exemplars[bucket]
    }
  }

  rotate(times: number): void {
    this.#recent?.rotate(times)
  }

  percentiles(greatest: number): DistributionSnapshot['percentiles'] {
    return this.#recent?.percentiles(this.#quantiles, greatest)
  }

  exponential(): DistributionSnapshot['exponential'] {
    return this.#exponential?.snapshot()
  }

  exemplars(): DistributionSnapshot['exemplars'] {
    return this.#takeExemplar && [...this.#exemplars]
  }
}
