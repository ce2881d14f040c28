import type { Percentile } from '../snapshot.ts'
import { doubleOf, highWordOf } from './double-bits.ts'

const cellsOfOctave = 32
const lowestCell = cellOf(1e-9)
const highestCell = cellOf(1e18)

/** How often which value was recorded in a rolling window, for percentiles. Values under 1e-9 count as zero. */
export class RecentValues {
  readonly #rotations: number
  #rotation = 0
  /** For each rotation one count of zeros and then one a cell. */
  #counts: Uint32Array
  /** Where the cells begin, on an octave's border, and how many there are. */
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

  /** Begins as many new rotations. */
  rotate(times: number): void {
    const width = this.#cells + 1
    for (let time = 0; time < Math.min(times, this.#rotations); time++) {
      this.#rotation = (this.#rotation + 1) % this.#rotations
      this.#counts.fill(0, this.#rotation * width, (this.#rotation + 1) * width)
    }
  }

  /** The percentiles of ascending quantiles, none of them above `greatest`; all 0 when nothing was recorded. */
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

  /** Makes room for a cell, where it is not zero or out of range; its index then. */
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

  #resize(first: number, cells: number): void {
    const counts = new Uint32Array(this.#rotations * (cells + 1))
    const width = this.#cells + 1
    for (let rotation = 0; rotation < this.#rotations; rotation++) {
      const old = this.#counts.subarray(rotation * width, (rotation + 1) * width)
      counts[rotation * (cells + 1)] = old[0] as number
      counts.set(
        old.subarray(1),
        rotation * (cells + 1) + 1 + this.#firstCell - (this.#cells === 0 ? this.#firstCell : first),
      )
    }
    this.#counts = counts
    this.#firstCell = first
    this.#cells = cells
  }
}

// Five bits of the fraction: a cell is 1/32 of a power of two wide, so that its middle is at most 1.6 % off.

function cellOf(value: number): number {
  return highWordOf(value) >>> 15
}

function startOf(cell: number): number {
  return doubleOf(cell << 15)
}
