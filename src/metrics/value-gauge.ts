import { checkMeterNames, type MeterOptions, type StoredMeter, setCell } from './meter.ts'
import type { MeterKind } from './meter-kind.ts'
import type { Series } from './series/series.ts'
import type { GaugeSnapshot } from './snapshot.ts'

/** A gauge whose value is set or changed by the code that records it, instead of being read from a function. */
export class ValueGauge implements StoredMeter {
  readonly id: Series
  // A fraction for the same reason as in `PlainCounter`.
  #value = 0.5

  constructor(id: Series) {
    this.id = id
    this.#value = 0
  }

  get value(): number {
    return this.#value
  }

  set(value: number): void {
    this.#value = value
  }

  /** Adds an amount, which may be negative. */
  add(amount: number): void {
    this.#value += amount
  }

  activity(): number {
    return this.#value
  }

  snapshot(): GaugeSnapshot {
    return { kind: 'gauge', id: this.id, value: this.#value }
  }

  copyTo(cells: Float64Array, place: number): boolean {
    return setCell(cells, place, this.#value)
  }
}

export const valueGaugeKind: MeterKind<ValueGauge, MeterOptions> = {
  name: 'gauge',
  overflows: true,
  checkNames: checkMeterNames,
  create: (series) => new ValueGauge(series),
}
