/** Cells that values are summed up in; `low` has what does not fit into the 53 bits of `high`. */
export interface Sums {
  readonly high: Float64Array
  readonly low: Float64Array
}

type Cells = Float64Array<ArrayBuffer>

/**
 * The cells of all merged series. There are two copies: readers see the sums of the last update, `shown`, while the
 * next update adds up in the other one.
 */
export class MergedCells {
  #shown: Cells = new Float64Array(0)
  #next: Cells = new Float64Array(0)
  #low: Cells = new Float64Array(0)
  /** What the sums begin with: 0, or NaN where there is no value before the first one. */
  #blank: Cells = new Float64Array(256)
  #end = 0
  /** Places that are not in use, by their number of cells. */
  readonly #free = new Map<number, number[]>()

  get shown(): Float64Array {
    return this.#shown
  }

  /** Returns the first of consecutive cells that begin as `blank`. */
  allocate(size: number, blank: number): number {
    const place = this.#free.get(size)?.pop() ?? this.#extend(size)
    this.#blank.fill(blank, place, place + size)
    return place
  }

  setBlank(place: number, blank: number): void {
    this.#blank[place] = blank
  }

  /** Only while no update is running: the next one may use the cells for another series. */
  release(place: number, size: number): void {
    const places = this.#free.get(size)
    if (places === undefined) this.#free.set(size, [place])
    else places.push(place)
  }

  /** Begins to sum up. */
  begin(): Sums {
    const size = this.#blank.length
    if (this.#next.length < size) this.#next = new Float64Array(size)
    if (this.#low.length < size) this.#low = new Float64Array(size)
    this.#next.set(this.#blank.subarray(0, this.#end))
    this.#low.fill(0, 0, this.#end)
    return { high: this.#next, low: this.#low }
  }

  /** Shows the sums. */
  commit(): void {
    const shown = this.#shown
    this.#shown = this.#next
    this.#next = shown
  }

  #extend(size: number): number {
    const place = this.#end
    this.#end += size
    if (this.#end > this.#blank.length) {
      const longer = new Float64Array(Math.max(this.#end, this.#blank.length * 2))
      longer.set(this.#blank)
      this.#blank = longer
    }
    return place
  }
}
