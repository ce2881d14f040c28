import {
  cellCount,
  cellPlaces,
  exponentialPlace,
  exponentialPlaces,
  type SeriesDefinition,
} from '../series-definition.ts'
import { isAmount, isCount } from './cell-program.ts'
import { ExponentialSum, maxBuckets, readExponential } from './exponential-histograms.ts'

/** What is left of one series when its members have ended. */
export class FoldedSeries {
  readonly #definition: SeriesDefinition
  #created: number = Number.POSITIVE_INFINITY
  /** The amounts, which can be fractions: of a counter the value, of a function timer count and total. */
  readonly #amounts: readonly ExactSum[]
  /** The count of a timer or summary, then that of each bucket. */
  readonly #counts: number[]
  readonly #exponential: ExponentialSum | undefined

  /** The definition is of a kind that stays. */
  constructor(definition: SeriesDefinition) {
    const { kind, bounds = [], exponentialBuckets } = definition
    this.#definition = definition
    this.#amounts = Array.from({ length: kind === 'functionTimer' ? 2 : 1 }, () => ({ high: 0, low: 0 }))
    const buckets = bounds.length === 0 ? 0 : bounds.length + 1
    this.#counts = new Array<number>(isTimer(kind) ? 1 + buckets : 0).fill(0)
    this.#exponential = exponentialBuckets === undefined ? undefined : new ExponentialSum()
  }

  /** Adds the values of a member, or of the base. */
  add(definition: SeriesDefinition, cells: Float64Array, place: number): void {
    this.#startedAt(definition.created)
    for (const [at, sum] of this.#amounts.entries()) {
      const amount = cells[place + at] ?? Number.NaN
      if (isAmount(amount)) addExactly(sum, amount)
    }
    for (const at of this.#counts.keys()) {
      const count = cells[place + cellPlaces.count + at] ?? Number.NaN
      if (isCount(count)) this.#counts[at] = (this.#counts[at] ?? 0) + Math.floor(count)
    }
    const exponential = this.#exponential && readExponential(definition, cells, place)
    if (exponential !== undefined) this.#exponential?.add(exponential)
  }

  /** Takes the greater of each value: of what several members read at one place. */
  raise(definition: SeriesDefinition, cells: Float64Array, place: number): void {
    this.#startedAt(definition.created)
    for (const [at, sum] of this.#amounts.entries()) {
      const amount = cells[place + at] ?? Number.NaN
      if (!isAmount(amount) || amount <= sum.high) continue
      sum.high = amount
      sum.low = 0
    }
  }

  /** Adds the amounts of a process to what ended processes have together. */
  include(other: FoldedSeries): void {
    this.#startedAt(other.#created)
    for (const [at, sum] of this.#amounts.entries()) addExactly(sum, other.#amounts[at]?.high ?? 0)
  }

  /** Adds definitions and cells to a base: two series if its amounts do not fit into one. */
  write(definitions: SeriesDefinition[], cells: number[]): void {
    const { kind, id, bounds } = this.#definition
    const created = Number.isFinite(this.#created) ? this.#created : 0
    const exponential = this.#exponential?.snapshot()
    const amounts = this.#amounts.map(amountsOf)
    const plain: SeriesDefinition = { kind, id, created }
    const withBounds: SeriesDefinition = bounds === undefined ? plain : { ...plain, bounds }
    const definition = exponential === undefined ? withBounds : { ...withBounds, exponentialBuckets: maxBuckets }
    const own = this.#cellsOf(
      definition,
      amounts.map(([amount]) => amount),
      this.#counts,
    )
    if (exponential !== undefined) {
      const place = exponentialPlace(definition)
      own[place + exponentialPlaces.scale] = exponential.scale
      own[place + exponentialPlaces.zeroCount] = exponential.zeroCount
      own[place + exponentialPlaces.offset] = exponential.offset
      own[place + exponentialPlaces.length] = exponential.counts.length
      for (const [at, count] of exponential.counts.entries()) own[place + exponentialPlaces.counts + at] = count
    }
    definitions.push(definition)
    for (const cell of own) cells.push(cell)
    const rest = amounts.map(([, remainder]) => remainder)
    if (rest.every((remainder) => remainder === 0)) return
    definitions.push(plain)
    for (const cell of this.#cellsOf(plain, rest, [])) cells.push(cell)
  }

  #cellsOf(definition: SeriesDefinition, amounts: readonly number[], counts: readonly number[]): number[] {
    const cells = new Array<number>(cellCount(definition)).fill(0)
    for (const [at, amount] of amounts.entries()) cells[at] = amount
    if (isTimer(definition.kind)) cells[cellPlaces.max] = Number.NaN
    for (const [at, count] of counts.entries()) cells[cellPlaces.count + at] = count
    return cells
  }

  #startedAt(created: number): void {
    if (created >= 0) this.#created = Math.min(this.#created, created)
  }
}

export function isTimer(kind: SeriesDefinition['kind']): boolean {
  return kind === 'timer' || kind === 'summary'
}

/** A sum of amounts that is the same in any order: `low` is the rounding error of `high`. */
interface ExactSum {
  high: number
  low: number
}

/** Adds a finite amount of 0 or more: two-sum (Knuth), then a renormalization. As `addAmounts` does it for cells. */
function addExactly(sum: ExactSum, amount: number): void {
  const before = sum.high
  const rough = before + amount
  const part = rough - before
  const error = before - (rough - part) + (amount - part) + sum.low
  sum.high = rough + error
  sum.low = error - (sum.high - rough)
}

/** Returns a sum as one or two amounts of 0 or more. */
function amountsOf({ high, low }: ExactSum): readonly [number, number] {
  if (low >= 0) return [high, low]
  // The next smaller double, so that what remains is positive.
  const below = high - high * 2 ** -53
  return [below, high - below + low]
}
