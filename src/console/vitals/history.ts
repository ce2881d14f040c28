import { type HistoryDocument, type VitalName, type Vitals, vitalNames } from '../documents.ts'

/** The last samples of a fixed step, in columns. */
export class History {
  /** The seconds between two samples. */
  readonly step: number
  readonly #capacity: number
  readonly #times: Float64Array
  readonly #columns: readonly Float32Array[]
  #next = 0
  #size = 0

  constructor(step: number, capacity: number) {
    this.step = step
    this.#capacity = capacity
    this.#times = new Float64Array(capacity)
    this.#columns = vitalNames.map(() => new Float32Array(capacity))
  }

  get bytes(): number {
    return this.#capacity * (8 + 4 * vitalNames.length)
  }

  add(vitals: Vitals): void {
    this.#times[this.#next] = vitals.at
    for (let at = 0; at < vitalNames.length; at++) {
      const column = this.#columns[at] as Float32Array
      column[this.#next] = vitals[vitalNames[at] as VitalName] ?? Number.NaN
    }
    this.#next = (this.#next + 1) % this.#capacity
    if (this.#size < this.#capacity) this.#size += 1
  }

  /** Returns the values of a name, ascending by time; those of the last `count` samples. */
  valuesOf(name: VitalName, count: number = this.#size): readonly (number | null)[] {
    const column = this.#columns[vitalNames.indexOf(name)] as Float32Array
    return this.#read(column, Math.min(count, this.#size)).map((value) => (Number.isNaN(value) ? null : round(value)))
  }

  read(now: number): HistoryDocument {
    const values = Object.fromEntries(vitalNames.map((name) => [name, this.valuesOf(name)]))
    // Safe: the values of all names.
    return {
      now,
      step: this.step,
      times: this.#read(this.#times, this.#size),
      values: values as HistoryDocument['values'],
    }
  }

  #read(column: Float32Array | Float64Array, count: number): number[] {
    const first = this.#next - count + this.#capacity
    return Array.from({ length: count }, (_, at) => column[(first + at) % this.#capacity] as number)
  }
}

/** Removes the digits that a number of 32 bits does not have. */
function round(value: number): number {
  return Number(value.toPrecision(7))
}
