import { highWordOf } from './double-bits.ts'

/**
 * Finds the place of a value among any number of bounds in about the same time. The leading bits of a double are its
 * cell, of which there are 16 per power of two. A table has the first bound that matters in each cell; one or two
 * comparisons do the rest.
 */
export class BucketFinder {
  /** By place: ascending, the last one infinite. */
  readonly #bounds: readonly number[]
  readonly #firstPlace: number
  readonly #greatest: number
  readonly #lowestCell: number
  /** By cell: the place of the first bound in it or after it. */
  readonly #placeOfCell: readonly number[]

  /** The bounds are positive, finite, ascending; the first has the place `firstPlace`. */
  constructor(bounds: readonly number[], firstPlace: number) {
    this.#firstPlace = firstPlace
    this.#bounds = [...new Array<number>(firstPlace).fill(0), ...bounds, Number.POSITIVE_INFINITY]
    // Without bounds every value is greater than the last of them, zero included.
    this.#greatest = bounds.at(-1) ?? -1
    const cells = bounds.map(cellOf)
    this.#lowestCell = cells[0] ?? 0
    this.#placeOfCell = Array.from(
      { length: bounds.length === 0 ? 0 : cellOf(this.#greatest) - this.#lowestCell + 1 },
      (_, cell) => firstPlace + cells.findIndex((cellOfBound) => cellOfBound >= this.#lowestCell + cell),
    )
  }

  /**
   * Returns the place of the first bound that is at least the value, which is 0 or more; that of infinity if there is
   * none.
   */
  placeOf(value: number): number {
    const bounds = this.#bounds
    if (value > this.#greatest) return bounds.length - 1
    // Adding zero clears the sign bit of minus zero.
    const cell = (highWordOf(value + 0) >>> 16) - this.#lowestCell
    let place = cell < 0 ? this.#firstPlace : (this.#placeOfCell[cell] as number)
    while (value > (bounds[place] as number)) place++
    return place
  }
}

function cellOf(value: number): number {
  return highWordOf(value) >>> 16
}
