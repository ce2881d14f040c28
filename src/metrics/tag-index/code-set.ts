/** The codes of one set of tags, by column, 0 where the set has no such tag; used over and over. */
export class CodeSet {
  codes: Int32Array = new Int32Array(4)

  /** Begins a new set in so many columns. */
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
