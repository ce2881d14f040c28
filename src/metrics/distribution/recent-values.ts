import type { Percentile } from '../snapshot.ts'
import { doubleOf, highWordOf } from './double-bits.ts'

const cellsOfOctave = 32
const lowestCell = /* @__PURE__ */ cellOf(1e-9)
const highestCell = /* @__PURE__ */ cellOf(1e18)

/** Counts of the values recorded in a rolling window, for percentiles. Values below about 1e-9 count as zero. */
export class RecentValues {
  readonly #rotations: number
  #rotation = 0
  /** For each rotation: one count of zeros, then one per cell. */
  #counts: Uint32Array
  /** The first cell, which starts an octave, and the number of cells. */
  #firstCell = 0
  #cells = 0

  constructor(rotations: number) {
    this.#rotations = rotations
    this.#counts = new Uint32Array(rotations)
  }

  record(value: number): void {
    const cell = cellOf(value)
    let index = cell - this.#firstCell
    if (index < 0 || index >= this.#cells) index = this.#widen(cell)
    const at = this.#rotation * (this.#cells + 1) + index + 1
    this.#counts[at] = (this.#counts[at] as number) + 1
  }

  /** Starts this many new rotations. */
  rotate(times: number): void {
    const width = this.#cells + 1
    for (let time = 0; time < Math.min(times, this.#rotations); time++) {
      this.#rotation = (this.#rotation + 1) % this.#rotations
      this.#counts.fill(0, this.#rotation * width, (this.#rotation + 1) * width)
    }
  }

  /** Returns the percentiles of ascending quantiles, at most `greatest` each; all 0 if nothing was recorded. */
  percentiles(quantiles: readonly number[], greatest: number): Percentile[] {
    const counts = this.#sums()
    const total = counts.reduce((sum, count) => sum + count, 0)
    let index = 0
    let seen = counts[0] as number
    return quantiles.map((quantile) => {
      const rank = Math.max(1, Math.ceil(quantile * total))
      while (seen < rank && index < this.#cells) seen += counts[++index] as number
      return { quantile, value: quantile === 1 ? greatest : Math.min(this.#middleOf(index), greatest) }
    })
  }

  #sums(): number[] {
    const width = this.#cells + 1
    const sums = new Array<number>(width).fill(0)
    this.#counts.forEach((count, at) => {
      sums[at % width] = (sums[at % width] as number) + count
    })
    return sums
  }

  #middleOf(index: number): number {
    if (index === 0) return 0
    const cell = this.#firstCell + index - 1
    return (startOf(cell) + startOf(cell + 1)) / 2
  }

  /** Extends the counts to a cell. Returns its index; -1 for zero. A cell beyond the range becomes the last one. */
  #widen(cell: number): number {
    if (cell < lowestCell) return -1
    const wanted = Math.min(cell, highestCell)
    const begin = Math.floor(wanted / cellsOfOctave) * cellsOfOctave
    const first = this.#cells === 0 ? begin : Math.min(begin, this.#firstCell)
    const end = Math.max(begin + cellsOfOctave, this.#firstCell + this.#cells)
    const cells = Math.max(this.#cells, end - first)
    if (cells > this.#cells) this.#resize(first, cells)
    return wanted - this.#firstCell
  }

  /**
   * Copies each rotation's counts into a wider array. All rotations are in one array, because a series with percentiles
   * would otherwise hold one object more per rotation; so each of them moves: zeros stay first, cells shift by those
   * added before them.
   */
  #resize(first: number, cells: number): void {
    const oldWidth = this.#cells + 1
    const width = cells + 1
    const addedBefore = this.#cells === 0 ? 0 : this.#firstCell - first
    const counts = new Uint32Array(this.#rotations * width)
    for (let rotation = 0; rotation < this.#rotations; rotation++) {
      const old = this.#counts.subarray(rotation * oldWidth, (rotation + 1) * oldWidth)
      const start = rotation * width
      counts[start] = old[0] as number
      counts.set(old.subarray(1), start + 1 + addedBefore)
    }
    this.#counts = counts
    this.#firstCell = first
    this.#cells = cells
  }
}

// Five bits of the fraction: a cell is 1/32 of a power of two wide, so that its middle deviates by at most 1.6 %.

function cellOf(value: number): number {
  return highWordOf(value) >>> 15
}

function startOf(cell: number): number {
  return doubleOf(cell << 15)
}
