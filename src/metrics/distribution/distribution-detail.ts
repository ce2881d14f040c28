import type { Exemplars } from '../exemplar.ts'
import type { DistributionSnapshot, Exemplar } from '../snapshot.ts'
import type { DistributionSetup } from './distribution-setup.ts'
import { ExponentialCounts } from './exponential-counts.ts'
import { firstPlace } from './figures.ts'
import { RecentValues } from './recent-values.ts'

/** What few distributions have: percentiles, exponential buckets, exemplars. */
export class DistributionDetail {
  readonly #quantiles: readonly number[]
  readonly #recent: RecentValues | undefined
  readonly #exponential: ExponentialCounts | undefined
  readonly #exemplars: Exemplars | undefined
  /** By bucket. */
  readonly #taken: (Exemplar | undefined)[]
  /** By bucket: whether its exemplar is recent, so that further values do not replace it. */
  readonly #isRecent: Uint8Array
  /** Recorded values that are not counted yet: counting many at once takes less time per value. */
  readonly #pending = new Float64Array(64)
  #pendingCount = 0

  constructor({ quantiles, exponential, window, exemplars, bounds }: DistributionSetup) {
    this.#quantiles = quantiles
    this.#recent = quantiles.length > 0 ? new RecentValues(window.rotations) : undefined
    this.#exponential = exponential && new ExponentialCounts(exponential)
    this.#exemplars = exemplars
    this.#taken = exemplars === undefined ? [] : new Array(bounds.length + 1).fill(undefined)
    this.#isRecent = new Uint8Array(this.#taken.length)
  }

  /** `place` is the index in the figures at which the value was counted. */
  record(value: number, place: number): void {
    if (this.#pendingCount === this.#pending.length) this.#countPending()
    this.#pending[this.#pendingCount] = value
    this.#pendingCount += 1
    if (this.#exemplars?.isOn) this.#takeExemplar(this.#exemplars, value, place - firstPlace)
  }

  rotate(times: number): void {
    this.#countPending()
    this.#isRecent.fill(0)
    this.#recent?.rotate(times)
  }

  percentiles(greatest: number): DistributionSnapshot['percentiles'] {
    this.#countPending()
    return this.#recent?.percentiles(this.#quantiles, greatest)
  }

  exponential(): DistributionSnapshot['exponential'] {
    this.#countPending()
    return this.#exponential?.snapshot()
  }

  copyExponential(cells: Float64Array, place: number): void {
    this.#countPending()
    this.#exponential?.copyTo(cells, place)
  }

  exemplars(): DistributionSnapshot['exemplars'] {
    this.#isRecent.fill(0)
    return this.#exemplars && [...this.#taken]
  }

  /** Takes one exemplar per bucket between two readings: for each value, ids would be written and the clock read. */
  #takeExemplar({ take }: Exemplars, value: number, bucket: number): void {
    if (this.#isRecent[bucket] === 1) return
    const exemplar = take(value)
    if (exemplar === undefined) return
    this.#taken[bucket] = exemplar
    this.#isRecent[bucket] = 1
  }

  #countPending(): void {
    const pending = this.#pending
    const count = this.#pendingCount
    this.#pendingCount = 0
    if (this.#recent !== undefined) for (let at = 0; at < count; at++) this.#recent.record(pending[at] as number)
    if (this.#exponential !== undefined)
      for (let at = 0; at < count; at++) this.#exponential.record(pending[at] as number)
  }
}
