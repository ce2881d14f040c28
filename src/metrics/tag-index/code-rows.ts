/** Rows of small integers, all of one width, one after the other in one typed array. */
export class CodeRows {
  #codes = new Int32Array(0)
  #width = 0
  length = 0

  /** Adds a row of the first `width` codes; its number. Rows so far get as many columns. */
  append(codes: Int32Array, width: number): number {
    if (width > this.#width) this.#widen(width)
    const start = this.length * this.#width
    if (start + this.#width > this.#codes.length) this.#lengthen()
    for (let column = 0; column < this.#width; column++) this.#codes[start + column] = codes[column] as number
    return this.length++
  }

  /** The code of a row in one column; 0 past the width of all rows. */
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
