import { type Meter, type StoredMeter, setCell } from './meter.ts'
import { parseNumber, type Reading, type ReadingKind } from './meter-reading.ts'
import type { Series } from './series/series.ts'
import type { CounterSnapshot } from './snapshot.ts'

/** A sum that other code counts, read from a function. */
export interface FunctionCounter extends Meter {
  /** The last value that could be read, also after its object is gone. */
  readonly value: number
}

export const functionCounterKind: ReadingKind<FunctionCounter & StoredMeter, number> = {
  name: 'functionCounter',
  overflows: false,
  parse: parseNumber,
  create: (series, { reading }) => new ReadCounter(series, reading),
}

class ReadCounter implements FunctionCounter, StoredMeter {
  readonly id: Series
  #last = 0
  readonly #reading: Reading<number>

  constructor(id: Series, reading: Reading<number>) {
    this.id = id
    this.#reading = reading
  }

  get value(): number {
    const value = this.#reading.read()
    if (typeof value === 'number' && value >= 0) this.#last = value
    return this.#last
  }

  activity(): number {
    return this.value
  }

  snapshot(): CounterSnapshot {
    return { kind: 'counter', id: this.id, value: this.value, created: this.id.created, exemplar: undefined }
  }

  copyTo(cells: Float64Array, place: number): boolean {
    return setCell(cells, place, this.value)
  }
}
