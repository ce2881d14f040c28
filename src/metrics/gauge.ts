import type { Meter, StoredMeter } from './meter.ts'
import type { Reading } from './reading.ts'
import type { Series } from './series/series.ts'
import type { GaugeSnapshot } from './snapshot.ts'

/** A value that goes up and down, read when someone asks. */
export interface Gauge extends Meter {
  /** NaN when it cannot be read. */
  readonly value: number
}

export class ReadGauge implements Gauge, StoredMeter {
  readonly id: Series
  #reading: Reading<number>

  constructor(id: Series, reading: Reading<number>) {
    this.id = id
    this.#reading = reading
  }

  get value(): number {
    const value = this.#reading.read()
    return typeof value === 'number' ? value : Number.NaN
  }

  get isGone(): boolean {
    return this.#reading.isGone
  }

  /** Reads from elsewhere from now on. */
  follow(reading: Reading<number>): void {
    this.#reading = reading
  }

  activity(): number {
    return this.value
  }

  snapshot(): GaugeSnapshot | undefined {
    const value = this.value
    return Number.isNaN(value) && this.isGone ? undefined : { kind: 'gauge', id: this.id, value }
  }
}
