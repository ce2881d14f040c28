import { float, highWord, words } from './double-bits.ts'

const mostCells = 4_096
const bitsOfHighWord = 20

/**
 * Finds the bucket of a value among any number of bounds in about the same time: the leading bits of a double say between
 * which bounds to look, and one or two comparisons say the rest.
 */
export class BucketFinder {
  /** Ascending, with an infinite one at the end. */
  readonly #bounds: readonly number[]
  /** By leading bits: the first bound that a value with those bits may be under. */
  readonly #firstOfCell: Uint16Array
  readonly #lowestCell: number
  readonly #shift: number

  /** The bounds are positive, finite, ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = [...bounds, Number.POSITIVE_INFINITY]
    this.#shift = chooseShift(bounds)
    this.#lowestCell = cellOf(bounds[0] ?? 1, this.#shift)
    const cells = cellOf(bounds.at(-1) ?? 1, this.#shift) - this.#lowestCell + 2
    this.#firstOfCell = new Uint16Array(cells)
    for (let cell = 1; cell < cells; cell++) {
      const start = startOf(this.#lowestCell + cell, this.#shift)
      this.#firstOfCell[cell] = this.#bounds.findIndex((bound) => start <= bound)
    }
  }

  /** The index of the first bound that is not less than the value, which is zero or more; past the last for what is greater. */
  find(value: number): number {
    float[0] = value
    const cell = ((words[highWord] as number) >>> this.#shift) - this.#lowestCell
    const firsts = this.#firstOfCell
    let index = cell < 0 ? 0 : (firsts[cell < firsts.length ? cell : firsts.length - 1] as number)
    while (value > (this.#bounds[index] as number)) index++
    return index
  }
}

function cellOf(value: number, shift: number): number {
  float[0] = value
  return (words[highWord] as number) >>> shift
}

/** The least value with some leading bits. */
function startOf(cell: number, shift: number): number {
  float[0] = 0
  words[highWord] = cell << shift
  return float[0]
}

/** As many bits as keep the bounds apart, while the table stays small. */
function chooseShift(bounds: readonly number[]): number {
  const first = bounds[0] ?? 1
  const last = bounds.at(-1) ?? 1
  for (let shift = bitsOfHighWord - 2; ; shift--) {
    const cells = bounds.map((bound) => cellOf(bound, shift))
    const apart = cells.every((cell, index) => index < 2 || cell > (cells[index - 2] as number))
    const finer = cellOf(last, shift - 1) - cellOf(first, shift - 1)
    if (apart || finer > mostCells || shift === 0) return shift
  }
}
