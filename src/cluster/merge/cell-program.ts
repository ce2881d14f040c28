import type { Sums } from './merged-cells.ts'

/**
 * What is done with the value of a member: `amount` and `count` are added, `max` is the greatest of values that are not
 * negative; the others are rules of gauges.
 */
export type Operation = 'amount' | 'count' | 'max' | 'sum' | 'greatest' | 'least' | 'last' | 'each'

/** The greatest amount that is believed. The sum of all members stays far from infinity. */
const maxAmount = 2 ** 100
const maxCount: number = Number.MAX_SAFE_INTEGER
const maxGauge = 2 ** 1_000

/** Whether the value of a counter, a total or a maximum can be right. */
export function isAmount(value: number): boolean {
  return value >= 0 && value <= maxAmount
}

/** Whether a count can be right. A fraction is cut off. */
export function isCount(value: number): boolean {
  return value >= 0 && value <= maxCount
}

/** So many operations take less than 0.1 ms. */
const operationsAtOnce = 8_192

/** Cells of a member, and the cell of the sums that each belongs to. */
class CellPairs {
  from: Int32Array<ArrayBuffer> = new Int32Array(16)
  to: Int32Array<ArrayBuffer> = new Int32Array(16)
  length = 0

  add(from: number, to: number): void {
    if (this.length === this.from.length) {
      this.from = grown(this.from)
      this.to = grown(this.to)
    }
    this.from[this.length] = from
    this.to[this.length] = to
    this.length += 1
  }
}

function grown(cells: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(cells.length * 2)
  longer.set(cells)
  return longer
}

/** What is done with the cells of one member, worked out once so that each update runs over numbers only. */
export class CellProgram {
  readonly #pairs = new Map<Operation, CellPairs>()

  add(operation: Operation, from: number, to: number): void {
    let pairs = this.#pairs.get(operation)
    if (pairs === undefined) {
      pairs = new CellPairs()
      this.#pairs.set(operation, pairs)
    }
    pairs.add(from, to)
  }

  clear(): void {
    this.#pairs.clear()
  }

  /** Merges the cells of a member into the sums. Returns the number of values that were left out. */
  *run(cells: Float64Array, sums: Sums): Generator<undefined, number> {
    let invalid = 0
    for (const [operation, pairs] of this.#pairs) {
      const run = runs[operation]
      for (let start = 0; start < pairs.length; start += operationsAtOnce) {
        const { from, to } = pairs
        invalid += run(from, to, start, Math.min(start + operationsAtOnce, pairs.length), cells, sums)
        yield
      }
    }
    return invalid
  }
}

/** Does the operations from `start` to `end`. Returns the number of values that were left out. */
type Run = (from: Int32Array, to: Int32Array, start: number, end: number, cells: Float64Array, sums: Sums) => number

// One function per operation, each with a loop of its own: so that V8 optimizes each for itself.
const runs: Readonly<Record<Operation, Run>> = {
  amount: addAmounts,
  count: addCounts,
  max(from, to, start, end, cells, { high }) {
    let invalid = 0
    for (let at = start; at < end; at++) {
      const value = cells[from[at] as number] as number
      const cell = to[at] as number
      if (isAmount(value)) {
        if (!((high[cell] as number) >= value)) high[cell] = value
      } else if (!Number.isNaN(value)) invalid += 1
    }
    return invalid
  },
  sum(from, to, start, end, cells, { high }) {
    let invalid = 0
    for (let at = start; at < end; at++) {
      const value = cells[from[at] as number] as number
      const cell = to[at] as number
      if (isFiniteGauge(value)) {
        const sum = high[cell] as number
        high[cell] = Number.isNaN(sum) ? value : sum + value
      } else if (!Number.isNaN(value)) invalid += 1
    }
    return invalid
  },
  greatest(from, to, start, end, cells, { high }) {
    let invalid = 0
    for (let at = start; at < end; at++) {
      const value = cells[from[at] as number] as number
      const cell = to[at] as number
      if (isFiniteGauge(value)) {
        if (!((high[cell] as number) >= value)) high[cell] = value
      } else if (!Number.isNaN(value)) invalid += 1
    }
    return invalid
  },
  least(from, to, start, end, cells, { high }) {
    let invalid = 0
    for (let at = start; at < end; at++) {
      const value = cells[from[at] as number] as number
      const cell = to[at] as number
      if (isFiniteGauge(value)) {
        if (!((high[cell] as number) <= value)) high[cell] = value
      } else if (!Number.isNaN(value)) invalid += 1
    }
    return invalid
  },
  last(from, to, start, end, cells, { high }) {
    for (let at = start; at < end; at++) {
      const value = cells[from[at] as number] as number
      if (!Number.isNaN(value)) high[to[at] as number] = value
    }
    return 0
  },
  each(from, to, start, end, cells, { high }) {
    for (let at = start; at < end; at++) high[to[at] as number] = cells[from[at] as number] as number
    return 0
  },
}

function isFiniteGauge(value: number): boolean {
  return value >= -maxGauge && value <= maxGauge
}

/**
 * Adds amounts that can be fractions, with the rounding error of each addition in `low`. The sum is then the same in
 * any order, and does not fall by a last digit when the values of a member move to the base.
 */
function addAmounts(
  from: Int32Array,
  to: Int32Array,
  start: number,
  end: number,
  cells: Float64Array,
  { high, low }: Sums,
): number {
  let invalid = 0
  for (let at = start; at < end; at++) {
    const value = cells[from[at] as number] as number
    const cell = to[at] as number
    if (!isAmount(value)) {
      invalid += 1
      continue
    }
    // Two-sum (Knuth), then a renormalization.
    const before = high[cell] as number
    const sum = before + value
    const part = sum - before
    const error = before - (sum - part) + (value - part) + (low[cell] as number)
    const rounded = sum + error
    high[cell] = rounded
    low[cell] = error - (rounded - sum)
  }
  return invalid
}

function addCounts(
  from: Int32Array,
  to: Int32Array,
  start: number,
  end: number,
  cells: Float64Array,
  { high }: Sums,
): number {
  let invalid = 0
  for (let at = start; at < end; at++) {
    const value = cells[from[at] as number] as number
    const cell = to[at] as number
    if (isCount(value)) high[cell] = (high[cell] as number) + Math.floor(value)
    else invalid += 1
  }
  return invalid
}
