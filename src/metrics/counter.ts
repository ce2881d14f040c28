import { argumentOutOfRange, invalidArgument } from '../base/errors.ts'
import type { Exemplars } from './exemplar.ts'
import { checkMeterNames, type Meter, type MeterOptions, type StoredMeter, setCell } from './meter.ts'
import type { MeterKind } from './meter-kind.ts'
import type { Series } from './series/series.ts'
import type { CounterSnapshot, Exemplar } from './snapshot.ts'

/** A sum that only increases. */
export interface Counter extends Meter {
  /**
   * Adds an amount. Default: 1.
   *
   * @throws RangeError if the amount is negative, NaN or infinite; TypeError if it is not a number.
   */
  increment(amount?: number): void
  readonly value: number
}

export const counterKind: MeterKind<Counter & StoredMeter, MeterOptions> = {
  name: 'counter',
  overflows: true,
  checkNames: checkMeterNames,
  create: (series, _, { exemplars }) =>
    exemplars === undefined ? new PlainCounter(series) : new TracedCounter(series, exemplars),
}

// Two classes with the same beginning: a common superclass or a field for the exemplars that most counters do not have
// would be paid for at each increment.

class PlainCounter implements Counter, StoredMeter {
  readonly id: Series
  // V8 stores a field that was once a fraction as a double; one that begins as an integer is converted later, at a
  // cost.
  #value = 0.5

  constructor(id: Series) {
    this.id = id
    this.#value = 0
  }

  // Without an amount on a path of its own: with a default parameter, Node 24 takes twice as long.
  increment(amount?: number): void {
    if (amount === undefined) this.#value += 1
    else if (isAmount(amount)) this.#value += amount
    else refuseAmount(amount)
  }

  get value(): number {
    return this.#value
  }

  activity(): number {
    return this.#value
  }

  snapshot(): CounterSnapshot {
    return { kind: 'counter', id: this.id, value: this.#value, created: this.id.created, exemplar: undefined }
  }

  copyTo(cells: Float64Array, place: number): boolean {
    return setCell(cells, place, this.#value)
  }
}

/** A counter with an exemplar: the trace of the latest increment that had one. */
class TracedCounter implements Counter, StoredMeter {
  readonly id: Series
  // A fraction for the same reason as in `PlainCounter`.
  #value = 0.5
  #exemplar: Exemplar | undefined = undefined
  readonly #exemplars: Exemplars

  constructor(id: Series, exemplars: Exemplars) {
    this.id = id
    this.#exemplars = exemplars
    this.#value = 0
  }

  increment(amount?: number): void {
    if (amount === undefined) this.#value += 1
    else if (isAmount(amount)) this.#value += amount
    else refuseAmount(amount)
    if (this.#exemplars.isOn) this.#exemplar = this.#exemplars.take(amount ?? 1) ?? this.#exemplar
  }

  get value(): number {
    return this.#value
  }

  activity(): number {
    return this.#value
  }

  snapshot(): CounterSnapshot {
    return { kind: 'counter', id: this.id, value: this.#value, created: this.id.created, exemplar: this.#exemplar }
  }

  copyTo(cells: Float64Array, place: number): boolean {
    return setCell(cells, place, this.#value)
  }

  exemplars(): readonly (Exemplar | undefined)[] {
    return [this.#exemplar]
  }
}

function isAmount(amount: unknown): amount is number {
  return typeof amount === 'number' && amount >= 0 && amount !== Number.POSITIVE_INFINITY
}

function refuseAmount(amount: unknown): never {
  if (typeof amount !== 'number') throw invalidArgument(`increment: expected a number, received a ${typeof amount}`)
  throw argumentOutOfRange(`increment: expected a finite amount of 0 or more, received ${amount}`)
}
