import { type Meter, type StoredMeter, setCell } from './meter.ts'
import { parseNumber, type Reading, type ReadingKind } from './meter-reading.ts'
import type { Series } from './series/series.ts'
import type { GaugeSnapshot } from './snapshot.ts'

/** A value that increases and decreases, read from a function. */
export interface Gauge extends Meter {
  /** Calls the function; NaN if it fails. */
  readonly value: number
}

export const gaugeKind: ReadingKind<ReadGauge, number> = {
  name: 'gauge',
  overflows: false,
  parse: parseNumber,
  create: (series, { reading }) => new ReadGauge(series, reading),
  follow(gauge, reading) {
    if (!gauge.isGone) return false
    gauge.follow(reading)
    return true
  },
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

  /** Replaces the reading. */
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

  copyTo(cells: Float64Array, place: number): boolean {
    return setCell(cells, place, this.value)
  }
}
