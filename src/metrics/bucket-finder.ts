import { highWordOf } from './double-bits.ts'

/**
 * Finds the place of a value among any number of bounds in about the same time. The leading bits of a double make a cell, of
 * which there are 16 to a power of two; a table says which bound is the first that matters in a cell, and a comparison or two
 * say the rest.
 */
export class BucketFinder {
  /** By place: ascending, with an infinite one at the end. */
  readonly #bounds: readonly number[]
  readonly #firstPlace: number
  readonly #greatest: number
  readonly #lowestCell: number
  /** By cell: the place of the first bound that is in it or past it. */
  readonly #placeOfCell: Uint16Array

  /** The bounds are positive, finite, ascending; the first has the place `firstPlace`. */
  constructor(bounds: readonly number[], firstPlace: number) {
    this.#firstPlace = firstPlace
    this.#bounds = [...new Array<number>(firstPlace).fill(0), ...bounds, Number.POSITIVE_INFINITY]
    this.#greatest = bounds.at(-1) ?? 0
    const cells = bounds.map(cellOf)
    this.#lowestCell = cells[0] ?? 0
    this.#placeOfCell = Uint16Array.from(
      { length: cellOf(this.#greatest) - this.#lowestCell + 1 },
      (_, cell) => firstPlace + cells.findIndex((cellOfBound) => cellOfBound >= this.#lowestCell + cell),
    )
  }

  /** The place of the first bound that is not less than the value, which is zero or more; one past the last for what is greater. */
  placeOf(value: number): number {
    const bounds = this.#bounds
    if (value > this.#greatest) return bounds.length - 1
    const cell = (highWordOf(value) >>> 16) - this.#lowestCell
    let place = cell < 0 ? this.#firstPlace : (this.#placeOfCell[cell] as number)
    while (value > (bounds[place] as number)) place++
    return place
  }
}

function cellOf(value: number): number {
  return highWordOf(value) >>> 16
}
