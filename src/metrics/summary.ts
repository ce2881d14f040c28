import type { Meter, StoredMeter } from './meter.ts'
import type { Series } from './series/series.ts'
import type { MeterSnapshot } from './snapshot.ts'

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

/** A summary that multiplies every amount before it is recorded. */
export class ScaledSummary implements Summary, StoredMeter {
  readonly #summary: Summary & StoredMeter
  readonly #scale: number

  constructor(summary: Summary & StoredMeter, scale: number) {
    this.#summary = summary
    this.#scale = scale
  }

  get id(): Series {
    return this.#summary.id
  }

  record(amount: number): void {
    // What is no number must not become one by being multiplied.
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
}
