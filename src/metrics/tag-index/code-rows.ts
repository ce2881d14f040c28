/** The codes of all rows: small integers, as many per row, one row after the other in one typed array. */
export class CodeRows {
  #codes = new Int32Array(0)
  #width = 0
  length = 0

  /**
   * Adds a row of the first `width` codes and returns its number. If it is wider than the rows so far, they are
   * widened.
   */
  append(codes: Int32Array, width: number): number {
    if (width > this.#width) this.#widen(width)
    const start = this.length * this.#width
    if (start + this.#width > this.#codes.length) this.#lengthen()
    for (let column = 0; column < this.#width; column++) this.#codes[start + column] = codes[column] as number
    return this.length++
  }

  /** Returns the code of a row in one column; 0 beyond the width of the rows. */
  at(row: number, column: number): number {
    return column < this.#width ? (this.#codes[row * this.#width + column] as number) : 0
  }

  /** Whether a row has the first `width` of these codes. */
  equals(row: number, codes: Int32Array, width: number): boolean {
    for (let column = 0; column < width; column++) if (this.at(row, column) !== codes[column]) return false
    return true
  }

  #lengthen(): void {
    const longer = new Int32Array(this.#codes.length + (this.#codes.length >> 1) + this.#width * 4)
    longer.set(this.#codes)
    this.#codes = longer
  }

  #widen(width: number): void {
    const wider = new Int32Array(this.length * width)
    for (let row = 0; row < this.length; row++) {
      for (let column = 0; column < this.#width; column++) wider[row * width + column] = this.at(row, column)
    }
    this.#codes = wider
    this.#width = width
  }
}

/**
 * The codes of one set of tags by column, 0 where the set has no such tag. Reused, so that a look-up allocates nothing.
 */
export class CodeSet {
  codes: Int32Array = new Int32Array(4)

  /** Starts a new set. */
  clear(width: number): void {
    if (this.codes.length < width) this.codes = new Int32Array(width + 4)
    for (let index = 0; index < this.codes.length; index++) this.codes[index] = 0
  }

  add(index: number, code: number): void {
    if (index >= this.codes.length) {
      const longer = new Int32Array(index + 4)
      longer.set(this.codes)
      this.codes = longer
    }
    this.codes[index] = code
  }
}
