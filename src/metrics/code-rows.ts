/** Rows of small integers, all of one width, one after the other in one typed array. */
export class CodeRows {
  #codes = new Int32Array(0)
  #width = 0
  length = 0

  append(codes: Int32Array): number {
    this.#widen(codes.length)
    const start = this.length * this.#width
    if (start + this.#width > this.#codes.length) {
      const longer = new Int32Array(start + (start >> 1) + this.#width * 4)
      longer.set(this.#codes)
      this.#codes = longer
    }
    this.#codes.set(codes, start)
    return this.length++
  }

  /** The code of a row in one column; 0 past the width of all rows. */
  at(row: number, column: number): number {
    return column < this.#width ? (this.#codes[row * this.#width + column] as number) : 0
  }

  equals(row: number, codes: Int32Array): boolean {
    for (let column = 0; column < codes.length; column++) if (this.at(row, column) !== codes[column]) return false
    return true
  }

  /** Gives all rows room for more columns. */
  #widen(width: number): void {
    if (width === this.#width) return
    const wider = new Int32Array(this.length * width)
    for (let row = 0; row < this.length; row++) {
      for (let column = 0; column < this.#width; column++) wider[row * width + column] = this.at(row, column)
    }
    this.#codes = wider
    this.#width = width
  }
}
