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
  readonly #placeOfCell: readonly number[]

  /** The bounds are positive, finite, ascending; the first has the place `firstPlace`. */
  constructor(bounds: readonly number[], firstPlace: number) {
    this.#firstPlace = firstPlace
    this.#bounds = [...new Array<number>(firstPlace).fill(0), ...bounds, Number.POSITIVE_INFINITY]
    // Without bounds everything is past the last of them, zero too.
    this.#greatest = bounds.at(-1) ?? -1
    const cells = bounds.map(cellOf)
    this.#lowestCell = cells[0] ?? 0
    this.#placeOfCell = Array.from(
      { length: bounds.length === 0 ? 0 : cellOf(this.#greatest) - this.#lowestCell + 1 },
      (_, cell) => firstPlace + cells.findIndex((cellOfBound) => cellOfBound >= this.#lowestCell + cell),
    )
  }

  /** The place of the first bound that is not less than the value, which is zero or more; one past the last for what is greater. */
  placeOf(value: number): number {
    const bounds = this.#bounds
    if (value > this.#greatest) return bounds.length - 1
    // Minus zero has a sign bit, which adding zero takes away.
    const cell = (highWordOf(value + 0) >>> 16) - this.#lowestCell
    let place = cell < 0 ? this.#firstPlace : (this.#placeOfCell[cell] as number)
    while (value > (bounds[place] as number)) place++
    return place
  }
}

function cellOf(value: number): number {
  return highWordOf(value) >>> 16
}
